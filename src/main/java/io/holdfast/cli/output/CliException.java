package io.holdfast.cli.output;

/** Ends a command with an exit code and one sentence on stderr. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exit;
    private final boolean inDoubt;

    public CliException(int exit, String sentence) {
        this(exit, sentence, false);
    }

    private CliException(int exit, String sentence, boolean inDoubt) {
        super(sentence);
        this.exit = exit;
        this.inDoubt = inDoubt;
    }

    /** The request failed, but the service may have carried it out. */
    public static CliException inDoubt(String sentence) {
        return new CliException(Exit.UNAVAILABLE, sentence, true);
    }

    public boolean isInDoubt() {
        return inDoubt;
    }

    public int exit() {
        return exit;
    }
}
