package io.holdfast.access.audit;

import io.smallrye.mutiny.Uni;

/**
 * Writes down each change and each refusal, one JSON line each. Thread-safe; never blocks.
 *
 * <p>An action that must not happen without a trace is written as {@link AuditRecord.Outcome#BEGUN} first, and begins only
 * when that line is written.
 */
public interface AuditLog {
    /**
     * Queues the line at once, also if the result has no subscriber. Lines are written in the order of the calls. The result
     * completes when the line is written, and fails with an {@link AuditUnavailableException} if it was not.
     *
     * <p>Not promised: that the line survives a crash of the machine.
     */
    Uni<Void> write(AuditRecord record);
}
