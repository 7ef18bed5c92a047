package io.holdfast.cli.output;

/** Exit codes. Scripts depend on them, so they are part of the API. */
public final class Exit {
    public static final int DONE = 0;
    /** The command failed, and a retry will not help. */
    public static final int FAILED = 1;
    /** Wrong arguments. */
    public static final int USAGE = 2;
    /** Refused: another owner holds the lock, an app uses the database, or another request came first. */
    public static final int REFUSED = 3;
    /** The service or its store did not answer; a retry may help. */
    public static final int UNAVAILABLE = 4;
    /** The lock was lost while it was needed. */
    public static final int LOST = 5;
    /** There is no valid token: it is missing, has expired, or the service does not accept it. */
    public static final int UNAUTHENTICATED = 6;
    /** The service knows the client, but no grant allows the request. */
    public static final int FORBIDDEN = 7;

    /** As in a shell: the command exists but cannot be run. */
    public static final int NOT_EXECUTABLE = 126;
    /** As in a shell: there is no such command. */
    public static final int NOT_FOUND = 127;
    /** As in a shell: this plus the number of the signal that ended the command. */
    public static final int SIGNALLED = 128;

    private Exit() {}
}
