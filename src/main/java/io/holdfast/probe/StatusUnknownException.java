package io.holdfast.probe;

/** A look ended without a verdict. Its message is the detail that people see; it never holds a secret. */
final class CannotTellException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CannotTellException(String message) {
        super(message);
    }
}
