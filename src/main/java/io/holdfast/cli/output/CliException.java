package io.holdfast.cli.output;

/** Ends a command with an exit code and one sentence on stderr. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exit;
    private final boolean inDoubt;
    private final boolean temporary;

    public CliException(int exit, String sentence) {
        this(exit, sentence, false, exit == Exit.UNAVAILABLE);
    }

    private CliException(int exit, String sentence, boolean inDoubt, boolean temporary) {
        super(sentence);
        this.exit = exit;
        this.inDoubt = inDoubt;
        this.temporary = temporary;
    }

    /** The request failed, but the service may have carried it out. */
    public static CliException inDoubt(String sentence) {
        return new CliException(Exit.UNAVAILABLE, sentence, true, true);
    }

    /** A retry may succeed, although the exit code does not say so. */
    public static CliException temporary(int exit, String sentence) {
        return new CliException(exit, sentence, false, true);
    }

    /** Whether a command that goes on should retry. */
    public boolean isTemporary() {
        return temporary;
    }

    public boolean isInDoubt() {
        return inDoubt;
    }

    public int exit() {
        return exit;
    }
}
