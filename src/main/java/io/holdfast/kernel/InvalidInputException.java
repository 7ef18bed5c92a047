package io.holdfast.kernel;

/** The input of a caller is invalid. Nothing has been changed. */
public final class InvalidInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String allowed;

    /**
     * @param field the name of the invalid field, as the caller knows it
     * @param allowed what is accepted; completes a sentence after "must be"
     */
    public InvalidInputException(String field, String allowed) {
        super(field + " must be " + allowed);
        this.field = field;
        this.allowed = allowed;
    }

    public String field() {
        return field;
    }

    public String allowed() {
        return allowed;
    }
}
