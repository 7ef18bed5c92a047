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
 * Why a lease is kept no longer.
 *
 * @param detail one sentence for whoever held it
 */
public record LeaseLoss(Cause cause, String detail) {
    public enum Cause {
        /** It ran out: nobody renewed it in time. */
        EXPIRED,
        /** An administrator took it away. */
        FORCED,
        /** Somebody gave it back by its lock_id. */
        RELEASED,
        /** It could not be renewed before it ran out, because the store did not answer. */
        STORE_UNREACHABLE,
        /** It was kept for as long as was asked for. */
        MAX_HOLD,
        /** A later connection or request of the same owner has taken it over. */
        SUPERSEDED,
        /** This replica goes away; the lease stays until it runs out. */
        SHUTTING_DOWN
    }

    public static LeaseLoss expired(Lease lease) {
        return new LeaseLoss(
                Cause.EXPIRED, "Lock '%s' ran out at %s.".formatted(lease.name(), seconds(lease.expiresAt())));
    }

    static LeaseLoss forced(LockName name, Optional<String> reason) {
        return new LeaseLoss(
                Cause.FORCED,
                "Lock '%s' was taken away by an administrator%s."
                        .formatted(name, reason.map(": %s"::formatted).orElse("")));
    }

    static LeaseLoss released(LockName name) {
        return new LeaseLoss(Cause.RELEASED, "Lock '%s' was given back by its lock_id.".formatted(name));
    }

    static LeaseLoss storeUnreachable(Lease lease) {
        return new LeaseLoss(
                Cause.STORE_UNREACHABLE,
                "The store could not be reached until lock '%s' ran out at %s."
                        .formatted(lease.name(), seconds(lease.expiresAt())));
    }

    static LeaseLoss maxHold(LockName name, Duration held) {
        return new LeaseLoss(
                Cause.MAX_HOLD,
                "Lock '%s' was held for %s, as long as max_hold allows.".formatted(name, Settings.text(held)));
    }

    public static LeaseLoss superseded(LockName name) {
        return new LeaseLoss(
                Cause.SUPERSEDED,
                "Lock '%s' is held by the same owner on a later connection or request.".formatted(name));
    }

    static LeaseLoss shuttingDown(Lease lease) {
        return new LeaseLoss(
                Cause.SHUTTING_DOWN,
                "This replica goes away. Lock '%s' stays yours until %s: hold it again as the same owner."
                        .formatted(lease.name(), seconds(lease.expiresAt())));
    }

    /**
     * Why a lease is not held any more, by what stands in its place.
     *
     * @param record the lock as it is now
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
                "Lock '%s' was given back or taken away%s."
                        .formatted(lease.name(), record.isPresent() ? ", and another owner has it" : ""));
    }

    private static Instant seconds(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS);
    }
}
