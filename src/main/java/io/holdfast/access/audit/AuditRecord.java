package io.holdfast.access.audit;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One line of the audit log. No field has a secret: the token is a fencing token.
 *
 * @param code of the problem, if the action was refused or failed
 * @param reason as the client gave it
 */
public record AuditRecord(
        Instant time, Origin origin, Deed deed, Outcome outcome, Optional<String> code, Optional<String> reason) {
    public enum Outcome {
        /** Written before an action that must not happen without a trace. */
        BEGUN,
        DONE,
        REFUSED,
        /** The action failed, or it is not known whether it was done. */
        FAILED
    }

    /**
     * Where a request comes from.
     *
     * @param subject empty if the service acts by itself, or if the client is unknown
     * @param source the address of the client; empty if the service acts by itself
     */
    public record Origin(String requestId, Optional<String> subject, Optional<String> source) {}

    /**
     * @param resource kind, slash, name; empty for the action {@code admin}
     * @param token the fencing token of the lease that is changed
     */
    public record Deed(String action, Optional<String> resource, OptionalLong token) {}
}
