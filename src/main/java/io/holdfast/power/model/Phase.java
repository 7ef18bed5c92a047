package io.holdfast.power.model;

/** What Holdfast has decided for a database, and how far that has come. */
public enum Phase {
    /** Nothing has been decided yet; it is taken to be running. */
    UNDECIDED,
    RUNNING,
    /** A stop is committed and may have been ordered; it is not known to be done. */
    STOPPING,
    STOPPED,
    /** A stop was ordered and did not come to an end in time. Somebody has to look; nothing is forced. */
    STOP_STUCK,
    /** A start is committed and may have been ordered; it is not known to be done. */
    STARTING;

    /** Whether it was left running, for all that is known. */
    public boolean mayRun() {
        return this == UNDECIDED || this == RUNNING;
    }

    /** Whether an order to stop may have left that has not come to its end. */
    public boolean mayStop() {
        return this == STOPPING || this == STOP_STUCK;
    }
}
