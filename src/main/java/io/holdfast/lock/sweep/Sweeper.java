package io.holdfast.lock.sweep;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Pause;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockStatistics;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.queue.Cleanup;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Purges the records of leases that ended longer ago than the retention, in small steps with pauses. One replica sweeps
 * at a time, elected by a Holdfast lock. Each deletion is conditional on the record that was read. No decision about a
 * lock depends on a sweep. A complete sweep also reports statistics of all locks.
 */
@Singleton
public class Sweeper {
    static final LockName LOCK = new LockName("system/sweeper");

    private final LockStore store;
    private final SweepConfig config;
    private final InstantSource clock;
    private final SweepListener listener;
    private final Cleanup cleanup;
    private final Owner self = new Owner("sweeper-" + LockId.random());
    private volatile boolean stopping;

    public Sweeper(LockStore store, SweepConfig config, InstantSource clock, SweepListener listener, Cleanup cleanup) {
        requireAtLeast("holdfast.sweep.step-size", config.stepSize(), 1);
        requireAtLeast("holdfast.sweep.step-pause", config.stepPause(), "1ms", Duration.ofMillis(1));
        requireAtLeast(
                "holdfast.sweep.lock-ttl",
                config.lockTtl(),
                "four times holdfast.sweep.step-pause",
                config.stepPause().multipliedBy(4));
        requireAtLeast("holdfast.sweep.stale-after", config.staleAfter(), "zero", Duration.ZERO);
        this.store = store;
        this.config = config;
        this.clock = clock;
        this.listener = listener;
        this.cleanup = cleanup;
    }

    public sealed interface Sweep {
        record Done(int purged) implements Sweep {}

        /** Another replica sweeps. */
        record NotElected() implements Sweep {}

        /** The lock was lost, or the service shuts down. The next sweep purges the other records. */
        record Interrupted(int purged) implements Sweep {}
    }

    /** Examines all records once, unless another replica does. */
    public Uni<Sweep> sweep() {
        var request = AcquireRequest.once(
                new LeaseRef(LOCK, LockId.random(), self), config.lockTtl(), Labels.of(LockType.SYSTEM));
        return Uni.createFrom()
                .deferred(() -> store.acquire(request, clock.instant()))
                .chain(outcome -> switch (outcome) {
                    case AcquireOutcome.Granted granted -> sweepHolding(granted.lease());
                    default -> withoutStatistics(new Sweep.NotElected());
                })
                .onFailure()
                .invoke(listener::notCounted);
    }

    /** Lets the current step finish, and starts no other. */
    public void stop() {
        stopping = true;
    }

    private Uni<Sweep> sweepHolding(Lease lease) {
        return step(new Progress(lease, 0, Optional.of(LockStatistics.NONE), Optional.empty()))
                .onItemOrFailure()
                .call(() -> cleanup.run(
                        LOCK,
                        clock.instant().plus(config.lockTtl()),
                        () -> store.release(lease.ref(), clock.instant())));
    }

    /** @param seen the statistics so far; absent if the store could not provide them for a step */
    private record Progress(Lease lease, int purged, Optional<LockStatistics> seen, Optional<Cursor> from) {
        Progress after(LockStore.SweepStep step) {
            var together = seen.flatMap(before -> step.seen().map(before::plus));
            return new Progress(lease, purged + step.purged(), together, step.next());
        }

        Progress under(Lease renewed) {
            return new Progress(renewed, purged, seen, from);
        }
    }

    private Uni<Sweep> step(Progress before) {
        var bounds = new LockStore.SweepBounds(config.stepSize(), config.staleAfter());
        return store.sweep(before.from(), bounds, clock.instant()).chain(step -> {
            var progress = before.after(step);
            if (step.next().isEmpty()) {
                return done(progress);
            }
            if (stopping) {
                return withoutStatistics(new Sweep.Interrupted(progress.purged()));
            }
            return Pause.of(config.stepPause())
                    .chain(() -> stillElected(progress.lease()))
                    .chain(lease -> lease.isEmpty()
                            ? withoutStatistics(new Sweep.Interrupted(progress.purged()))
                            : step(progress.under(lease.get())));
        });
    }

    private Uni<Sweep> done(Progress progress) {
        progress.seen()
                .ifPresentOrElse(statistics -> listener.counted(statistics, clock.instant()), listener::notCounted);
        return Uni.createFrom().item(new Sweep.Done(progress.purged()));
    }

    /** Incomplete statistics are not reported. */
    private Uni<Sweep> withoutStatistics(Sweep sweep) {
        listener.notCounted();
        return Uni.createFrom().item(sweep);
    }

    /** Renews the lease after half of its TTL. */
    private Uni<Optional<Lease>> stillElected(Lease lease) {
        var now = clock.instant();
        if (lease.remainingAt(now).compareTo(config.lockTtl().dividedBy(2)) > 0) {
            return Uni.createFrom().item(Optional.of(lease));
        }
        return store.renew(lease.ref(), Optional.empty(), now).map(outcome -> switch (outcome) {
            case RenewOutcome.Renewed renewed -> Optional.of(renewed.lease());
            case RenewOutcome.Superseded superseded -> Optional.empty();
            case RenewOutcome.NotHeld notHeld -> Optional.empty();
        });
    }
}
