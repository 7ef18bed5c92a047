package io.holdfast.kernel;

/** The service cannot start. The message is a sentence that names what is wrong and the setting that mends it. */
public final class CannotStartException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public CannotStartException(String sentence) {
        super(sentence);
    }

    public CannotStartException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
