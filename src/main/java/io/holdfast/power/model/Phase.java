package io.holdfast.power.model;

/** The last decision of Holdfast about a database, and its progress. */
public enum Phase {
    /** No decision yet; the database is assumed to be running. */
    UNDECIDED,
    RUNNING,
    /** A stop is committed. The order may have been sent; its completion is not confirmed. */
    STOPPING,
    STOPPED,
    /** A stop did not complete in time. An operator must check the database; nothing is forced. */
    STOP_STUCK,
    /** A start is committed. The order may have been sent; its completion is not confirmed. */
    STARTING;

    /** Whether the database is assumed to be running, with no order pending. */
    public boolean mayRun() {
        return this == UNDECIDED || this == RUNNING;
    }

    /** Whether a stop order may have been sent and has not completed. */
    public boolean isStopPending() {
        return this == STOPPING || this == STOP_STUCK;
    }
}
