package io.holdfast.lock;

import java.time.Instant;

/**
 * A place in the line for a lock.
 *
 * @param id the acquisition that it is for
 * @param owner who waits
 * @param since when it joined the line
 * @param deadline when it gives up; from then on everybody passes it by, whether or not it is still there
 */
public record Ticket(LockId id, Owner owner, Instant since, Instant deadline) {
    boolean is(LeaseRef ref) {
        return id.equals(ref.id()) && owner.equals(ref.owner());
    }

    public boolean aliveAt(Instant now) {
        return now.isBefore(deadline);
    }

    Ticket until(Instant newDeadline) {
        return new Ticket(id, owner, since, newDeadline);
    }
}
