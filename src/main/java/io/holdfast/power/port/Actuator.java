package io.holdfast.power.port;

import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;

/**
 * Stops and starts databases. Orders are idempotent per epoch. An accepted order is not a completed one: only
 * {@link #state} shows completion.
 */
public interface Actuator {
    /** @param epoch increases with every decision, and so distinguishes new orders from repeated ones */
    Uni<Outcome> stop(Database database, long epoch);

    Uni<Outcome> start(Database database, long epoch);

    /** Reads the actual state. Never fails: a state that cannot be read is {@link State#UNKNOWN}, with the cause. */
    Uni<Reading> state(Database database);

    /** @param detail the source of the state, or why it is unknown */
    record Reading(State state, String detail) {
        public static Reading unknown(String detail) {
            return new Reading(State.UNKNOWN, detail);
        }

        /** For a read that failed with {@code failed}. */
        public static Reading unknown(Outcome failed) {
            return unknown(
                    switch (failed) {
                        case Outcome.Accepted accepted -> "";
                        case Outcome.Already already -> "";
                        case Outcome.Refused refused -> refused.reason();
                        case Outcome.Retry retry -> retry.reason();
                    });
        }

        /** The state for people; UNKNOWN with its cause. */
        public String text() {
            return state == State.UNKNOWN && !detail.isEmpty() ? state + " (" + detail + ")" : state.toString();
        }
    }

    enum State {
        RUNNING,
        STOPPING,
        STOPPED,
        STARTING,
        UNKNOWN
    }

    sealed interface Outcome {
        record Accepted() implements Outcome {}

        /** The database is already in the requested state, or on the way to it. */
        record Already() implements Outcome {}

        /** Permanent: a retry fails again until an operator changes something. */
        record Refused(String reason) implements Outcome {}

        /** Transient: throttled, unreachable or busy. */
        record Retry(String reason) implements Outcome {}
    }
}
