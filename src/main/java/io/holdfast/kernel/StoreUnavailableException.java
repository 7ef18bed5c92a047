package io.holdfast.kernel;

/**
 * The store did not answer, or not in time. The requested change may or may not have happened. A retry with the same
 * idempotency key is safe.
 */
public final class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message) {
        super(message);
    }

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
