package io.holdfast.kernel;

/**
 * The store did not answer, or not in time. The change it was asked for may or may not have happened; asking again with
 * the same idempotency key is safe and finds out.
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
