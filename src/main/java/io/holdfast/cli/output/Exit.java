package io.holdfast.cli.output;

/** How a command ends, for scripts. These numbers are as much of an API as the paths are. */
public final class Exit {
    public static final int DONE = 0;
    /** The command could not do what it was asked to, and asking again will not help. */
    public static final int FAILED = 1;
    /** It was called in a way that it cannot be. */
    public static final int USAGE = 2;
    /** Somebody else stands in the way: holds the lock, uses the database, came first. */
    public static final int REFUSED = 3;
    /** The service or its store did not answer; ask again. */
    public static final int UNAVAILABLE = 4;
    /** The lock was lost while it was needed. */
    public static final int LOST = 5;

    /** As a shell says it: the command is there but cannot be run. */
    public static final int NOT_EXECUTABLE = 126;
    /** As a shell says it: there is no such command. */
    public static final int NOT_FOUND = 127;
    /** As a shell says it: ended by the signal of this number. */
    public static final int SIGNALLED = 128;

    private Exit() {}
}
