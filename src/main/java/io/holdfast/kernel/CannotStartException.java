package io.holdfast.kernel;

/** The service cannot start. The message says what is wrong and which setting to change. */
public final class CannotStartException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public CannotStartException(String sentence) {
        super(sentence);
    }

    public CannotStartException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
