package io.holdfast.lock.history;

import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import java.time.Instant;

/** A client that asked for a lock with {@code wait}, from when it asked until it hears an answer. */
final class Waiting {
    private final LockName name;
    private final Owner owner;
    private final LockId id;
    private final Replica replica;
    private final Instant deadline;
    private Instant shownAt;

    Waiting(LockName name, Owner owner, LockId id, Replica replica, Instant deadline) {
        this.name = name;
        this.owner = owner;
        this.id = id;
        this.replica = replica;
        this.deadline = deadline;
    }

    boolean isOf(LockName lock, Owner asker, LockId asked) {
        return name.equals(lock) && owner.equals(asker) && id.equals(asked);
    }

    /** It was shown in the queue of the lock. */
    void shown(Instant now) {
        shownAt = shownAt == null ? now : shownAt;
    }

    /** Whether it was known to be in the queue when another client asked at that time, and is still waiting. */
    boolean isBefore(LockName lock, Owner other, Instant otherAsked, Instant now) {
        return name.equals(lock)
                && !owner.equals(other)
                && shownAt != null
                && !shownAt.isAfter(otherAsked)
                && !replica.isDead()
                && now.isBefore(deadline);
    }

    Owner owner() {
        return owner;
    }
}
