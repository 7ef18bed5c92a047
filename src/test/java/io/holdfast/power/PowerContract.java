package io.holdfast.power;

import org.junit.jupiter.api.BeforeEach;

/** Stopping and starting a shared database, whatever it is stored in. */
public abstract class PowerContract
        implements PowerStopFacts, PowerStartFacts, ReconcilerFacts, PendingFacts, PowerRaceFacts, PowerStoreFacts {
    private World world;
    private World.Replica holdfast;

    /** A fresh world on an empty store. */
    protected abstract World newWorld();

    @BeforeEach
    void begin() {
        world = newWorld();
        holdfast = world.replica();
    }

    @Override
    public World world() {
        return world;
    }

    @Override
    public World.Replica holdfast() {
        return holdfast;
    }
}
