package io.holdfast.remote;

/** The deadline passed before the work started. */
public final class TooLateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLateException() {
        super("the deadline passed before the work started");
    }
}
