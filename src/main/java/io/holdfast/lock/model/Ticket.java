package io.holdfast.lock.model;

import java.time.Instant;

/**
 * A waiter's entry in the queue of a lock.
 *
 * @param attempt the latest attempt of the request
 * @param replica where that attempt waits
 * @param since when that attempt arrived
 * @param deadline when the wait ends; from then on the ticket is ignored, even if it is still in the record
 */
public record Ticket(LockId id, Owner owner, AttemptId attempt, ReplicaId replica, Instant since, Instant deadline) {
    public boolean is(LeaseRef ref) {
        return id.equals(ref.id()) && owner.isSameAs(ref.owner());
    }

    public boolean overdueAt(Instant now) {
        return !now.isBefore(deadline);
    }
}
