package io.holdfast.probe;

/** A probe ended without UP or DOWN. The message becomes the detail of the result and contains no secret. */
final class StatusUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StatusUnknownException(String message) {
        super(message);
    }
}
