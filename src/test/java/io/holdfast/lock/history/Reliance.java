package io.holdfast.lock.history;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import java.time.Instant;

/** A client's belief that it holds a lock: from when it was told so until its deadline, a release of its own or a loss. */
final class Reliance {
    enum End {
        /** The client released it, closed its connection or crashed. */
        BY_ITSELF,
        /** The client was told that it is lost. */
        TOLD
    }

    private Lease lease;
    private Instant deadline;
    private End end;

    Reliance(Lease lease, Instant deadline) {
        this.lease = lease;
        this.deadline = deadline;
    }

    void prolong(Lease newLease, Instant newDeadline) {
        lease = newLease;
        deadline = newDeadline;
    }

    /** The client knows of a reason to rely on it for no longer than that. */
    void cap(Instant latest) {
        deadline = deadline.isBefore(latest) ? deadline : latest;
    }

    /** The first end counts. */
    void end(End how) {
        end = end == null ? how : end;
    }

    boolean isLive(Instant now) {
        return end == null && now.isBefore(deadline);
    }

    boolean endedByItself() {
        return end == End.BY_ITSELF;
    }

    boolean isOver() {
        return end != null;
    }

    Instant deadline() {
        return deadline;
    }

    Lease lease() {
        return lease;
    }

    LeaseRef ref() {
        return lease.ref();
    }

    LockName name() {
        return lease.name();
    }

    Owner owner() {
        return lease.owner();
    }

    long token() {
        return lease.token().value();
    }
}
