package io.holdfast.power;

import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;

/** The process that called it ends in the middle of an order: before it left, or before its answer came back. */
record DeadActuator(World.FakeDatabase database, boolean carriedOut) implements Actuator {
    @Override
    public Uni<Outcome> stop(Database target, long epoch) {
        return carriedOut
                ? database.stop(target, epoch).chain(() -> Uni.createFrom().nothing())
                : Uni.createFrom().nothing();
    }

    @Override
    public Uni<Outcome> start(Database target, long epoch) {
        return Uni.createFrom().nothing();
    }

    @Override
    public Uni<State> state(Database target) {
        return database.state(target);
    }
}
