package io.holdfast.remote;

/** The time was over before anything was sent. */
public final class TooLateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLateException() {
        super("its time was over before it began");
    }
}
