package io.holdfast.cli;

/** Ends a command with an exit code and one sentence on stderr. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exit;
    private final boolean inDoubt;

    Failure(int exit, String sentence) {
        this(exit, sentence, false);
    }

    private Failure(int exit, String sentence, boolean inDoubt) {
        super(sentence);
        this.exit = exit;
        this.inDoubt = inDoubt;
    }

    /** What was asked for may have happened all the same. */
    static Failure inDoubt(String sentence) {
        return new Failure(Exit.UNAVAILABLE, sentence, true);
    }

    boolean isInDoubt() {
        return inDoubt;
    }

    int exit() {
        return exit;
    }
}
