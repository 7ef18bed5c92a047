package io.holdfast.telemetry.log;

import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.WithdrawOutcome;
import io.holdfast.power.model.DatabaseLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jboss.logging.Logger;

/** One log line per outcome of a lock operation: a constant message, then key=value pairs. */
public final class LockLog {
    private static final Logger LOG = Logger.getLogger("io.holdfast.lock");
    private static final Logger AUDIT = Logger.getLogger("io.holdfast.audit");

    private static final String SUBJECT = " subject=";

    public void acquired(AcquireRequest request, AcquireOutcome outcome, Duration took) {
        switch (outcome) {
            case AcquireOutcome.Granted granted -> {
                granted.takenOver().ifPresent(old -> takenOver(granted.lease(), old));
                LOG.logf(
                        level(request.name(), request.owner()),
                        "Lock acquired lock=%s owner=%s token=%s lock_id=%s ttl_ms=%d waited_ms=%d duration_ms=%d",
                        request.name(),
                        named(request.owner()),
                        granted.lease().token(),
                        granted.lease().id(),
                        request.ttl().toMillis(),
                        waited(request, granted.lease()).toMillis(),
                        took.toMillis());
            }
            case AcquireOutcome.AlreadyHeld yours ->
                LOG.debugf(
                        "Lock already held by its owner lock=%s owner=%s token=%s",
                        request.name(), named(request.owner()), yours.lease().token());
            case AcquireOutcome.HeldByAnother held ->
                LOG.logf(
                        level(request.name(), request.owner()),
                        "Lock refused lock=%s owner=%s holder=%s token=%s expires_at=%s",
                        request.name(),
                        named(request.owner()),
                        named(held.holder().owner(), " holder_subject="),
                        held.holder().token(),
                        held.holder().expiresAt());
            case AcquireOutcome.ClosedUntil closed ->
                LOG.infof(
                        "Lock refused, its lock delay is not over lock=%s owner=%s closed_until=%s",
                        request.name(), named(request.owner()), closed.until());
            case AcquireOutcome.ReservedForQueue reserved ->
                LOG.infof(
                        "Lock refused, other requests are queued lock=%s owner=%s waiting=%d",
                        request.name(), named(request.owner()), reserved.waiting());
            case AcquireOutcome.QueueFull full ->
                LOG.warnf(
                        "Lock refused, the queue is full lock=%s owner=%s waiting=%d",
                        request.name(), named(request.owner()), full.waiting());
            case AcquireOutcome.Queued queued ->
                LOG.debugf(
                        "Lock request queued lock=%s owner=%s place=%d",
                        request.name(), named(request.owner()), queued.place());
            case AcquireOutcome.GaveUp gaveUp ->
                LOG.infof(
                        "Lock not granted before the deadline lock=%s owner=%s",
                        request.name(), named(request.owner()));
        }
    }

    /** From the arrival of the request to the start of its lease. Zero for a request without {@code wait}. */
    private static Duration waited(AcquireRequest request, Lease lease) {
        return request.queueEntry()
                .map(entry -> Duration.between(entry.since(), lease.term().acquiredAt()))
                .filter(waited -> !waited.isNegative())
                .orElse(Duration.ZERO);
    }

    public void withdrawn(LeaseRef request, WithdrawOutcome outcome) {
        switch (outcome) {
            case WithdrawOutcome.LeftQueue left ->
                LOG.infof("Waiter left the queue lock=%s owner=%s", request.name(), named(request.owner()));
            case WithdrawOutcome.Released back ->
                LOG.infof(
                        "Lock released, the waiter that it was granted to has left lock=%s owner=%s token=%s",
                        request.name(), named(request.owner()), back.lease().token());
            case WithdrawOutcome.NotThere none -> {}
        }
    }

    private static void takenOver(Lease lease, Lease old) {
        LOG.warnf(
                "Lock taken over, its lease had expired without a release lock=%s owner=%s token=%s previous_owner=%s"
                        + " expired_at=%s",
                lease.name(),
                named(lease.owner()),
                lease.token(),
                named(old.owner(), " previous_subject="),
                old.expiresAt());
    }

    public void renewed(LeaseRef ref, RenewOutcome outcome) {
        switch (outcome) {
            case RenewOutcome.Renewed renewed ->
                LOG.debugf(
                        "Lock renewed lock=%s owner=%s token=%s renewals=%d expires_at=%s",
                        ref.name(),
                        named(ref.owner()),
                        renewed.lease().token(),
                        renewed.lease().term().renewals(),
                        renewed.lease().expiresAt());
            case RenewOutcome.Superseded superseded ->
                LOG.infof(
                        "Lease belongs to a later attempt of its owner lock=%s owner=%s token=%s lock_id=%s",
                        ref.name(), named(ref.owner()), superseded.lease().token(), ref.id());
            case RenewOutcome.NotHeld notHeld ->
                LOG.warnf(
                        "Renewal refused, the lease is not held lock=%s owner=%s lock_id=%s holder=%s",
                        ref.name(), named(ref.owner()), ref.id(), ownerOf(notHeld.holder(), " holder_subject="));
        }
    }

    public void released(LeaseRef ref, ReleaseOutcome outcome, Instant now) {
        switch (outcome) {
            case ReleaseOutcome.Released released ->
                LOG.logf(
                        level(ref.name(), ref.owner()),
                        "Lock released lock=%s owner=%s token=%s held_ms=%d",
                        ref.name(),
                        named(ref.owner()),
                        released.lease().token(),
                        Duration.between(released.lease().term().acquiredAt(), now)
                                .toMillis());
            case ReleaseOutcome.Superseded superseded ->
                LOG.debugf(
                        "Lease left to a later attempt of its owner lock=%s owner=%s token=%s",
                        ref.name(), named(ref.owner()), superseded.lease().token());
            case ReleaseOutcome.ReleasedBefore before ->
                LOG.infof(
                        "Lock was released by an earlier attempt lock=%s owner=%s lock_id=%s",
                        ref.name(), named(ref.owner()), ref.id());
            case ReleaseOutcome.AlreadyGone gone ->
                LOG.debugf(
                        "Lock was already released lock=%s owner=%s lock_id=%s",
                        ref.name(), named(ref.owner()), ref.id());
            case ReleaseOutcome.HeldByAnother held ->
                LOG.warnf(
                        "Release refused, another owner holds the lock lock=%s owner=%s lock_id=%s holder=%s",
                        ref.name(),
                        named(ref.owner()),
                        ref.id(),
                        named(held.holder().owner(), " holder_subject="));
        }
    }

    public void forced(ForceRelease force, ForceReleaseOutcome outcome) {
        switch (outcome) {
            case ForceReleaseOutcome.Freed freed ->
                AUDIT.warnf(
                        "Lock force-released lock=%s owner=%s token=%s seen_token=%s lock_delay_ms=%d reason=%s",
                        force.name(),
                        ownerOf(freed.previous(), SUBJECT),
                        freed.token(),
                        force.seen(),
                        force.lockDelay().toMillis(),
                        LogValue.of(force.reason()));
            case ForceReleaseOutcome.AlreadyFree free ->
                AUDIT.infof("Force release found the lock free lock=%s token=%s", force.name(), force.seen());
            case ForceReleaseOutcome.TokenChanged changed ->
                AUDIT.warnf(
                        "Force release refused, the token has changed lock=%s seen_token=%s token=%s",
                        force.name(), force.seen(), changed.current().token());
            case ForceReleaseOutcome.BelongsToAnother another ->
                AUDIT.warnf(
                        "Force release refused, the lease belongs to another subject lock=%s seen_token=%s subject=%s"
                                + " holder=%s",
                        force.name(),
                        force.seen(),
                        force.onlyOf().map(LogValue::of).orElse("none"),
                        named(another.current().lease().owner(), " holder_subject="));
            case ForceReleaseOutcome.NoSuchLock none ->
                AUDIT.infof("Force release of an unknown lock lock=%s", force.name());
        }
    }

    public void unavailable(String operation, LockName name, Throwable cause) {
        LOG.errorf("Store unavailable operation=%s lock=%s error=%s", operation, name, LogValue.of(cause.getMessage()));
    }

    /** DEBUG for the reconciler, which takes the lock of each pending database at every pass and logs its decision. */
    private static Logger.Level level(LockName name, Owner owner) {
        return DatabaseLocks.isOwn(name, owner) ? Logger.Level.DEBUG : Logger.Level.INFO;
    }

    private static String named(Owner owner) {
        return named(owner, SUBJECT);
    }

    /** The owner, and its subject as the next key and value, if there is one. */
    private static String named(Owner owner, String subjectKey) {
        var value = LogValue.of(owner);
        return owner.subject()
                .map(subject -> value + subjectKey + LogValue.of(subject))
                .orElse(value);
    }

    private static String ownerOf(Optional<Lease> holder, String subjectKey) {
        return holder.map(lease -> named(lease.owner(), subjectKey)).orElse("none");
    }
}
