package io.holdfast.power.port;

import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;

/**
 * Stops and starts one database. Asking twice for the same epoch is harmless. "Accepted" is not "done": only
 * {@link #state} tells that.
 */
public interface Actuator {
    /** @param epoch rises with every decision about this database; tells repeated orders from new ones */
    Uni<Outcome> stop(Database database, long epoch);

    Uni<Outcome> start(Database database, long epoch);

    /** What the database is really doing. Never fails: what cannot be told is {@link State#UNKNOWN}, with the cause. */
    Uni<Reading> state(Database database);

    /** @param detail what the state was told from, or why it could not be told */
    record Reading(State state, String detail) {
        public static Reading unknown(String detail) {
            return new Reading(State.UNKNOWN, detail);
        }

        /** What an outcome says when it came of a look and not of an order. */
        public static Reading unknown(Outcome failed) {
            return unknown(
                    switch (failed) {
                        case Outcome.Accepted accepted -> "";
                        case Outcome.Already already -> "";
                        case Outcome.Refused refused -> refused.reason();
                        case Outcome.Retry retry -> retry.reason();
                    });
        }

        /** The state in words; one that cannot be told with its cause. */
        public String words() {
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
        /** The order was taken. */
        record Accepted() implements Outcome {}

        /** It is so already, or on its way. */
        record Already() implements Outcome {}

        /** It cannot be done to this database, now or later, unless somebody changes something. */
        record Refused(String reason) implements Outcome {}

        /** It may work later: throttled, unreachable, in the middle of something else. */
        record Retry(String reason) implements Outcome {}
    }
}
