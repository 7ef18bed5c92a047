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
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;

/**
 * Acquires and releases the lock of a database. Each acquisition has its own owner, so that two decisions of one replica
 * exclude each other, too.
 */
@Singleton
public class DatabaseLock {
    private static final Logger LOG = Logger.getLogger(DatabaseLock.class);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    private final LockService locks;
    private final PowerConfig config;
    private final PowerListener listener;
    private final InstantSource clock;

    public DatabaseLock(LockService locks, PowerConfig config, PowerListener listener, InstantSource clock) {
        this.locks = locks;
        this.config = config;
        this.listener = listener;
        this.clock = clock;
    }

    public sealed interface Acquisition {
        record Acquired(Lease lease) implements Acquisition {}

        record NotAcquired(String reason) implements Acquisition {}
    }

    public static LockName nameOf(DatabaseId id) {
        return DatabaseLocks.nameOf(id);
    }

    /** Retries up to {@code retries} times, with exponential backoff and jitter. */
    public Uni<Acquisition> acquire(DatabaseId id, int retries) {
        var command = new AcquireCommand(
                nameOf(id),
                DatabaseLocks.newOwner(),
                Optional.of(LockId.random()),
                LeaseTerms.once(config.lockTtl()),
                Labels.of(LockType.DATABASE));
        return attempt(command, 0, retries);
    }

    private Uni<Acquisition> attempt(AcquireCommand command, int attempt, int retries) {
        return locks.acquire(command).chain(at -> switch (at.answer()) {
            case AcquireOutcome.Granted granted -> acquired(granted.lease(), attempt);
            case AcquireOutcome.AlreadyHeld yours -> acquired(yours.lease(), attempt);
            case AcquireOutcome.HeldByAnother held ->
                retry(
                        command,
                        attempt,
                        retries,
                        "lock '%s' is held by %s until %s"
                                .formatted(
                                        command.name(),
                                        held.holder().owner(),
                                        held.holder().expiresAt()));
            case AcquireOutcome.ClosedUntil closed ->
                retry(
                        command,
                        attempt,
                        retries,
                        "lock '%s' is closed until %s".formatted(command.name(), closed.until()));
            case AcquireOutcome.ReservedForQueue reserved ->
                retry(
                        command,
                        attempt,
                        retries,
                        "lock '%s' is reserved for its queue of %d".formatted(command.name(), reserved.waiting()));
            case AcquireOutcome.Queued queued -> throw neverWaits(queued);
            case AcquireOutcome.QueueFull full -> throw neverWaits(full);
            case AcquireOutcome.GaveUp gaveUp -> throw neverWaits(gaveUp);
        });
    }

    private static IllegalStateException neverWaits(AcquireOutcome outcome) {
        return new IllegalStateException("Unexpected outcome without a wait: " + outcome);
    }

    private Uni<Acquisition> acquired(Lease lease, int attempt) {
        listener.lockAsked(attempt);
        LOG.debugf("Lock acquired lock=%s owner=%s token=%s", lease.name(), lease.owner(), lease.token());
        return Uni.createFrom().item(new Acquisition.Acquired(lease));
    }

    private Uni<Acquisition> retry(AcquireCommand command, int attempt, int retries, String reason) {
        if (attempt >= retries) {
            listener.lockAsked(attempt);
            return Uni.createFrom()
                    .item(new Acquisition.NotAcquired(
                            reason + ", " + (attempt == 0 ? "1 attempt" : (attempt + 1) + " attempts")));
        }
        LOG.debugf("Lock held by another owner, retrying lock=%s attempt=%d", command.name(), attempt + 1);
        return Pause.of(pauseBefore(attempt)).chain(() -> attempt(command, attempt + 1, retries));
    }

    /** The renewed lease; empty if it is lost. */
    Uni<Optional<Lease>> renew(Lease lease) {
        return locks.renew(lease.ref(), Optional.empty()).map(at -> switch (at.answer()) {
            case RenewOutcome.Renewed renewed -> Optional.of(renewed.lease());
            case RenewOutcome.Superseded superseded -> Optional.empty();
            case RenewOutcome.NotHeld notHeld -> Optional.empty();
        });
    }

    /** Releases the lease if it is still held. Never fails: a lease that cannot be released expires. */
    public Uni<Void> releaseQuietly(Lease lease) {
        return locks.releaseQuietly(LeaseClaim.of(lease.ref()), clock.instant().plus(config.lockTtl()));
    }

    private Duration pauseBefore(int attempt) {
        var bound = Math.min(PAUSE_MAX.toMillis(), config.lockRetryPause().toMillis() << Math.min(attempt, 10));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound + 1) + 1);
    }
}
