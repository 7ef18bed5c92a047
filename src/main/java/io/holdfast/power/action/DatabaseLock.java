package io.holdfast.power.action;

import io.holdfast.kernel.Pause;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockService;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.power.model.DatabaseLocks;
import io.holdfast.power.model.PowerConfig;
import io.holdfast.power.port.PowerListener;
import io.holdfast.registry.DatabaseId;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;

/** The lock under which one replica at a time judges a database. Each take is an owner of its own. */
@Singleton
public class DatabaseLock {
    private static final Logger LOG = Logger.getLogger(DatabaseLock.class);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    private final LockService locks;
    private final PowerConfig config;
    private final PowerListener listener;

    public DatabaseLock(LockService locks, PowerConfig config, PowerListener listener) {
        this.locks = locks;
        this.config = config;
        this.listener = listener;
    }

    public sealed interface Taken {
        record Yes(Lease lease) implements Taken {}

        record No(String reason) implements Taken {}
    }

    public static LockName nameOf(DatabaseId id) {
        return DatabaseLocks.nameOf(id);
    }

    /** Asks again up to {@code retries} times, after random pauses that grow. */
    public Uni<Taken> acquire(DatabaseId id, int retries) {
        var command = new AcquireCommand(
                nameOf(id),
                DatabaseLocks.newOwner(),
                Optional.of(LockId.random()),
                LeaseTerms.once(config.lockTtl()),
                Labels.of(LockType.DATABASE));
        return attempt(command, 0, retries);
    }

    private Uni<Taken> attempt(AcquireCommand command, int attempt, int retries) {
        return locks.acquire(command).chain(at -> switch (at.answer()) {
            case AcquireOutcome.Granted granted -> taken(granted.lease(), attempt);
            case AcquireOutcome.AlreadyYours yours -> taken(yours.lease(), attempt);
            case AcquireOutcome.HeldByAnother held ->
                again(
                        command,
                        attempt,
                        retries,
                        "lock '%s' is held by %s until %s"
                                .formatted(
                                        command.name(),
                                        held.holder().owner(),
                                        held.holder().expiresAt()));
            case AcquireOutcome.ClosedUntil closed ->
                again(
                        command,
                        attempt,
                        retries,
                        "lock '%s' is closed until %s".formatted(command.name(), closed.until()));
            case AcquireOutcome.ReservedForQueue kept ->
                again(
                        command,
                        attempt,
                        retries,
                        "lock '%s' has %d in line for it".formatted(command.name(), kept.waiting()));
            case AcquireOutcome.Queued queued -> throw neverWaits(queued);
            case AcquireOutcome.QueueFull full -> throw neverWaits(full);
            case AcquireOutcome.GaveUp gaveUp -> throw neverWaits(gaveUp);
        });
    }

    private static IllegalStateException neverWaits(AcquireOutcome outcome) {
        return new IllegalStateException("Asked without waiting, and answered " + outcome);
    }

    private Uni<Taken> taken(Lease lease, int attempt) {
        listener.lockAsked(attempt);
        LOG.debugf("Lock acquired lock=%s owner=%s token=%s", lease.name(), lease.owner(), lease.token());
        return Uni.createFrom().item(new Taken.Yes(lease));
    }

    private Uni<Taken> again(AcquireCommand command, int attempt, int retries, String reason) {
        if (attempt >= retries) {
            listener.lockAsked(attempt);
            return Uni.createFrom().item(new Taken.No(reason + ", " + (attempt + 1) + " attempts"));
        }
        LOG.debugf("Lock held by another, asking again lock=%s attempt=%d", command.name(), attempt + 1);
        return Pause.of(pauseBefore(attempt)).chain(() -> attempt(command, attempt + 1, retries));
    }

    /** The lease prolonged, or none if it is no longer ours. */
    Uni<Optional<Lease>> prolong(Lease lease) {
        return locks.renew(lease.ref(), Optional.empty()).map(at -> switch (at.answer()) {
            case RenewOutcome.Renewed renewed -> Optional.of(renewed.lease());
            case RenewOutcome.Superseded superseded -> Optional.empty();
            case RenewOutcome.NotHeld notHeld -> Optional.empty();
        });
    }

    /** Releases the lease if it is still ours. Never fails: a lease that cannot be released expires. */
    public Uni<Void> releaseQuietly(Lease lease) {
        return locks.releaseQuietly(LeaseClaim.of(lease.ref()), lease.expiresAt());
    }

    private Duration pauseBefore(int attempt) {
        var bound = Math.min(PAUSE_MAX.toMillis(), config.lockRetryPause().toMillis() << Math.min(attempt, 10));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound + 1) + 1);
    }
}
