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
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Removes the records of leases that ended longer ago than the retention. One replica at a time, elected by a Holdfast
 * lock; small steps with pauses between them; each deletion conditional on what was seen. Housekeeping only: every
 * decision about a lock is right whether or not this has ever run. On its way it counts what it sees, and says so once it
 * has seen everything.
 */
@Singleton
public class Sweeper {
    static final LockName LOCK = new LockName("system/sweeper");

    private static final Logger LOG = Logger.getLogger(Sweeper.class);

    private final LockStore store;
    private final SweepConfig config;
    private final InstantSource clock;
    private final SweepListener listener;
    private final Owner self = new Owner("sweeper-" + LockId.random());
    private volatile boolean stopping;

    public Sweeper(LockStore store, SweepConfig config, InstantSource clock, SweepListener listener) {
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
    }

    public sealed interface Sweep {
        record Done(int purged) implements Sweep {}

        /** Another replica is at it. */
        record NotElected() implements Sweep {}

        /** Somebody took the lock away, or the service is stopping; the rest is left for the next sweep. */
        record CutShort(int purged) implements Sweep {}
    }

    /** Goes once through all records, unless another replica does. */
    public Uni<Sweep> sweep() {
        var wish = AcquireRequest.once(
                new LeaseRef(LOCK, LockId.random(), self), config.lockTtl(), Labels.of(LockType.SYSTEM));
        return Uni.createFrom()
                .deferred(() -> store.acquire(wish, clock.instant()))
                .chain(outcome -> switch (outcome) {
                    case AcquireOutcome.Granted granted -> sweepHolding(granted.lease());
                    case AcquireOutcome.AlreadyYours yours -> sweepHolding(yours.lease());
                    default -> unseen(new Sweep.NotElected());
                })
                .onFailure()
                .invoke(listener::notCounted);
    }

    /** Lets the step under way finish and begins no other. */
    public void stop() {
        stopping = true;
    }

    private Uni<Sweep> sweepHolding(Lease lease) {
        return step(new Progress(lease, 0, Optional.of(LockStatistics.NONE), Optional.empty()))
                .onItemOrFailure()
                .call(() -> store.release(lease.ref(), clock.instant())
                        .onFailure()
                        .invoke(e -> LOG.warnf("Sweeper lock left to expire error=\"%s\"", e.getMessage()))
                        .onFailure()
                        .recoverWithNull());
    }

    /** @param seen what was counted so far, unless some of it could not be */
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
                return unseen(new Sweep.CutShort(progress.purged()));
            }
            return Pause.of(config.stepPause())
                    .chain(() -> stillElected(progress.lease()))
                    .chain(lease -> lease.isEmpty()
                            ? unseen(new Sweep.CutShort(progress.purged()))
                            : step(progress.under(lease.get())));
        });
    }

    private Uni<Sweep> done(Progress progress) {
        progress.seen()
                .ifPresentOrElse(statistics -> listener.counted(statistics, clock.instant()), listener::notCounted);
        return Uni.createFrom().item(new Sweep.Done(progress.purged()));
    }

    /** Half a census would pass for a whole one. */
    private Uni<Sweep> unseen(Sweep sweep) {
        listener.notCounted();
        return Uni.createFrom().item(sweep);
    }

    /** Renews the lease once half of it has gone. */
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
