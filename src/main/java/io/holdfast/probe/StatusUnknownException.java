package io.holdfast.probe;

/** What was asked for could not be seen. The message becomes the detail of the result and contains no secret. */
public final class StatusUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StatusUnknownException(String message) {
        super(message);
    }
}
