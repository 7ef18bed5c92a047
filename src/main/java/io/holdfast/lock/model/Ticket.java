package io.holdfast.lock.model;

import java.time.Instant;

/**
 * A place in the line for a lock.
 *
 * @param id the acquisition that it is for
 * @param owner who waits
 * @param attempt the request that came for it last
 * @param replica where that request waits
 * @param since when that one came
 * @param deadline when it gives up; from then on everybody passes it by, whether or not it is still there
 */
public record Ticket(LockId id, Owner owner, AttemptId attempt, ReplicaId replica, Instant since, Instant deadline) {
    public boolean is(LeaseRef ref) {
        return id.equals(ref.id()) && owner.equals(ref.owner());
    }

    public boolean overdueAt(Instant now) {
        return !now.isBefore(deadline);
    }
}
