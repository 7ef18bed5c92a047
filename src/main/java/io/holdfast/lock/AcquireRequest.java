package io.holdfast.lock;

import java.time.Duration;
import java.time.Instant;

/** Wants {@code name} for {@code owner}. {@code id} makes the request safe to repeat. */
public record AcquireRequest(LockName name, LockId id, Owner owner, Duration ttl, Labels labels) {
    public LeaseRef ref() {
        return new LeaseRef(name, id, owner);
    }

    public Lease leaseAt(Instant now, FencingToken token) {
        return new Lease(name, id, owner, token, Lease.Term.startingAt(now, ttl), labels);
    }
}
