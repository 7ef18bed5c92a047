package io.holdfast.kernel;

/** What a caller sent cannot be taken as it is. Nothing has been changed. */
public final class InvalidInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String allowed;

    /**
     * @param field the name of the offending field, as the caller spells it
     * @param allowed what would be accepted, readable after "must be"
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
