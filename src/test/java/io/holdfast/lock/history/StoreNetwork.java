package io.holdfast.lock.history;

import java.time.Duration;
import java.time.Instant;

/** Draws what happens to requests on their way to the store, and how long they take. */
final class StoreNetwork {
    /** After this a replica gives an attempt up. */
    static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(1);

    /** Less than {@link io.holdfast.lock.port.LockRules#LATE_MAX}, which the rules rely on. */
    private static final Duration LATE_MAX = Duration.ofSeconds(40);

    private final Simulation simulation;
    private final Profile profile;
    private Instant awayUntil = Instant.MIN;
    private boolean healed;

    StoreNetwork(Simulation simulation, Profile profile) {
        this.simulation = simulation;
        this.profile = profile;
    }

    /** From now on everything arrives. */
    void heal() {
        healed = true;
    }

    /** Nothing arrives for so long, from any replica. */
    void fail(Duration outage) {
        simulation.note("the store is away for %s", outage);
        awayUntil = simulation.now().plus(outage);
    }

    Fate draw() {
        if (!healed && simulation.now().isBefore(awayUntil)) {
            return Fate.REQUEST_LOST;
        }
        if (healed || !simulation.chance(profile.storeTrouble())) {
            return Fate.PROMPT;
        }
        return simulation.oneOf(profile.storeFates());
    }

    Duration travel(Fate fate) {
        return fate == Fate.SLOW ? simulation.millis(100, 450) : simulation.millis(1, 10);
    }

    Duration late() {
        return simulation.between(ATTEMPT_TIMEOUT, LATE_MAX);
    }

    Simulation simulation() {
        return simulation;
    }
}
