package io.holdfast.lock.set;

import io.holdfast.lock.keepalive.LeaseRenewer;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.port.RenewOutcome;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/**
 * One lock of a set that is acquired while the others are not yet.
 *
 * @param fresh whether the lease is new; otherwise the owner had it before
 * @param renewer absent if the request does not wait, or if the lease has another lock_id
 */
record AcquiredLock(Lease lease, boolean fresh, Optional<LeaseRenewer> renewer) {
    /** The lease was lost before all locks of the set were acquired. */
    static final class LeaseLostException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Lease lease;

        LeaseLostException(Lease lease) {
            super(null, null, false, false);
            this.lease = lease;
        }

        Lease lease() {
            return lease;
        }
    }

    /** Renews the lease for the caller. A lease that was just granted needs no renewal; any other may have expired. */
    Uni<Lease> confirm(LockSetService sets, AttemptId attempt) {
        if (fresh && renewer.isEmpty() && hasMostOfItsTime(sets)) {
            return Uni.createFrom().item(lease);
        }
        return stopRenewing().chain(() -> sets.locks().renewFor(lease, attempt)).map(at -> switch (at.answer()) {
            case RenewOutcome.Renewed renewed -> renewed.lease();
            case RenewOutcome.Superseded superseded -> superseded.lease();
            case RenewOutcome.NotHeld notHeld -> throw new LeaseLostException(lease);
        });
    }

    private boolean hasMostOfItsTime(LockSetService sets) {
        var left = lease.remainingAt(sets.renewers().now());
        return left.multipliedBy(2).compareTo(lease.term().ttl()) > 0;
    }

    Uni<Void> stopRenewing() {
        return renewer.map(LeaseRenewer::stop).orElseGet(() -> Uni.createFrom().voidItem());
    }

    /** Does not release a lease that a later attempt has taken over. Never fails. */
    Uni<Void> releaseIfUnchanged(LockSetService sets, AttemptId attempt) {
        return stopRenewing().chain(() -> {
            var until = sets.renewers().now().plus(lease.term().ttl());
            return sets.locks().releaseQuietly(LeaseClaim.of(lease, attempt), until);
        });
    }
}
