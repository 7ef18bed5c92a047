package io.holdfast.lock;

import java.time.Instant;

/**
 * A place in the line for a lock.
 *
 * @param id the acquisition that it is for
 * @param owner who waits
 * @param asker who came for it last
 * @param since when that one came
 * @param deadline when it gives up; from then on everybody passes it by, whether or not it is still there
 */
public record Ticket(LockId id, Owner owner, Asker asker, Instant since, Instant deadline) {
    boolean is(LeaseRef ref) {
        return id.equals(ref.id()) && owner.equals(ref.owner());
    }

    public boolean aliveAt(Instant now) {
        return now.isBefore(deadline);
    }
}
