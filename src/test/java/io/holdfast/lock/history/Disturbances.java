package io.holdfast.lock.history;

import java.time.Duration;
import java.util.function.Consumer;

/** Lets the things happen that a profile asks for, one after the other, until it is told to end. */
final class Disturbances {
    private final World world;
    private final Simulation simulation;
    private final Profile profile;
    private final Backend backend;
    private final StoreNetwork storeNetwork;
    private final Consumer<Replica> replace;
    private final History.Administrator administrator;
    private boolean over;

    /** @param replace puts a new replica in the place of one that is gone */
    Disturbances(World world, Backend backend, StoreNetwork storeNetwork, Consumer<Replica> replace) {
        this.world = world;
        this.simulation = world.simulation();
        this.profile = world.profile();
        this.backend = backend;
        this.storeNetwork = storeNetwork;
        this.replace = replace;
        this.administrator = new History.Administrator(world);
    }

    void begin() {
        if (over || profile.disturbances().isEmpty()) {
            return;
        }
        simulation.after(
                simulation.between(Duration.ofMillis(1), profile.disturbEvery().multipliedBy(2)), () -> {
                    if (!over) {
                        happens(simulation.oneOf(profile.disturbances()));
                        begin();
                    }
                });
    }

    /** No more of it; who stands still goes on, and clocks are set right. */
    void end() {
        over = true;
        for (var replica : world.network().replicas()) {
            replica.resume(false);
            if (replica.clockIsWild()) {
                replica.setClock(Duration.ZERO);
            }
        }
    }

    private void happens(Profile.Disturbance what) {
        var replica = world.network().any();
        switch (what) {
            case FREEZE -> freeze(replica, false);
            case SUSPEND -> freeze(replica, true);
            case DIE -> {
                replica.die();
                replace.accept(replica);
            }
            case DRAIN -> {
                replica.drain();
                replace.accept(replica);
                simulation.after(Duration.ofSeconds(10), replica::die);
            }
            case CLOCK_DRIFT -> {
                if (!replica.clockIsWild()) {
                    replica.setClock(simulation.between(Replica.OFFSET_MAX.negated(), Replica.OFFSET_MAX));
                }
            }
            case CLOCK_AHEAD -> stepClock(replica, profile.clockStep());
            case CLOCK_BEHIND -> stepClock(replica, profile.clockStep().negated());
            case SWEEP ->
                replica.perform(() -> replica.sweeper.sweep().subscribe().with(done -> {}, failure -> {}));
            case TIDY_UP -> backend.tidyUp();
            case OUTAGE -> storeNetwork.fail(simulation.between(Duration.ofSeconds(20), Duration.ofSeconds(60)));
            case FORCE_RELEASE -> administrator.force(world.anyLock());
            case LOOK -> administrator.look(world.anyLock());
        }
    }

    private void freeze(Replica replica, boolean machine) {
        if (!replica.isFrozen()) {
            replica.freeze();
            var most = profile.ttl().multipliedBy(3);
            simulation.after(simulation.between(Duration.ofMillis(500), most), () -> replica.resume(machine));
        }
    }

    private void stepClock(Replica replica, Duration step) {
        if (!replica.clockIsWild()) {
            replica.setClock(step);
            var most = profile.disturbEvery().multipliedBy(3);
            simulation.after(simulation.between(Duration.ofMillis(500), most), () -> {
                if (replica.clockIsWild()) {
                    replica.setClock(Duration.ZERO);
                }
            });
        }
    }
}
