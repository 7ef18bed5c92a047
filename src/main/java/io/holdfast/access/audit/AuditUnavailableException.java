package io.holdfast.access.audit;

/** The audit log cannot be written. The message is a sentence for operators. A later attempt may succeed. */
public final class AuditUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AuditUnavailableException(String why) {
        super("The audit log cannot be written: " + why + ".");
    }
}
