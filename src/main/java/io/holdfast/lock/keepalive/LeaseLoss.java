package io.holdfast.lock.keepalive;

import io.holdfast.kernel.Settings;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Why a lease is no longer renewed.
 *
 * @param detail one sentence for the holder
 */
public record LeaseLoss(Cause cause, String detail) {
    public enum Cause {
        /** It expired without a renewal. */
        EXPIRED,
        /** An administrator released it by force. */
        FORCED,
        /** It was released by its lock_id. */
        RELEASED,
        /** It expired because the store did not answer the renewals. */
        STORE_UNREACHABLE,
        /** Its {@code max_hold} is over. */
        MAX_HOLD,
        /** A later connection or request of the same owner has taken it over. */
        SUPERSEDED,
        /** This replica shuts down. The lease stays until it expires. */
        SHUTTING_DOWN,
        /** The token of the holder is not accepted any more. The lease ends as after a disconnect. */
        UNAUTHENTICATED,
        /** The holder may not hold the lock any more. The lease ends as after a disconnect. */
        FORBIDDEN
    }

    public static LeaseLoss expired(Lease lease) {
        return new LeaseLoss(
                Cause.EXPIRED, "Lock '%s' expired at %s.".formatted(lease.name(), seconds(lease.expiresAt())));
    }

    static LeaseLoss forced(LockName name, Optional<String> reason) {
        return new LeaseLoss(
                Cause.FORCED,
                "Lock '%s' was taken away by an administrator%s."
                        .formatted(name, reason.map(": %s"::formatted).orElse("")));
    }

    static LeaseLoss released(LockName name) {
        return new LeaseLoss(Cause.RELEASED, "Lock '%s' was released by its lock_id.".formatted(name));
    }

    static LeaseLoss storeUnreachable(Lease lease) {
        return new LeaseLoss(
                Cause.STORE_UNREACHABLE,
                "Lock '%s' expired at %s, because the store could not be reached."
                        .formatted(lease.name(), seconds(lease.expiresAt())));
    }

    static LeaseLoss maxHold(LockName name, Duration held) {
        return new LeaseLoss(
                Cause.MAX_HOLD,
                "Lock '%s' was held for %s, the longest time that max_hold allows."
                        .formatted(name, Settings.text(held)));
    }

    public static LeaseLoss superseded(LockName name) {
        return new LeaseLoss(
                Cause.SUPERSEDED,
                "Lock '%s' is held by the same owner on a later connection or request.".formatted(name));
    }

    static LeaseLoss shuttingDown(Lease lease) {
        return new LeaseLoss(
                Cause.SHUTTING_DOWN,
                "This replica is shutting down. You hold lock '%s' until %s: hold it again as the same owner."
                        .formatted(lease.name(), seconds(lease.expiresAt())));
    }

    /**
     * Why a lease is not held any more.
     *
     * @param record the present record of the lock
     */
    static LeaseLoss of(Lease lease, Optional<LockRecord> record, Instant now) {
        var mine = record.filter(
                found -> found.lease().is(lease.ref()) && found.lease().token().equals(lease.token()));
        if (mine.isPresent()) {
            return mine.get()
                    .end()
                    .map(end -> end.forcedBecause().isPresent()
                            ? forced(lease.name(), end.forcedBecause())
                            : released(lease.name()))
                    .orElseGet(() -> expired(mine.get().lease()));
        }
        if (lease.expiredAt(now)) {
            return expired(lease);
        }
        return new LeaseLoss(
                Cause.RELEASED,
                "Lock '%s' was released or taken away%s."
                        .formatted(lease.name(), record.isPresent() ? ", and another owner holds it" : ""));
    }

    private static Instant seconds(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS);
    }
}
