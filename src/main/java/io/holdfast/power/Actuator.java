package io.holdfast.power;

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

    /** What the database is really doing. Never fails: what cannot be told is {@link State#UNKNOWN}. */
    Uni<State> state(Database database);

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
