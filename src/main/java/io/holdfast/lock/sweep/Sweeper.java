package io.holdfast.lock.sweep;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.kernel.Cursor;
import io.holdfast.lock.election.Election;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.port.LockStatistics;
import io.holdfast.lock.port.LockStore;
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
    private static final String TASK = "sweeper";
    static final LockName LOCK = Election.lockOf(TASK);

    private final LockStore store;
    private final SweepConfig config;
    private final InstantSource clock;
    private final SweepListener listener;
    private final Election election;

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
        this.election = new Election(TASK, config.lockTtl(), store, clock, cleanup);
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
        return election.run(
                        term -> step(term, new Progress(0, Optional.of(LockStatistics.NONE), Optional.empty())),
                        () -> withoutStatistics(new Sweep.NotElected()))
                .onFailure()
                .invoke(listener::notCounted);
    }

    /** Lets the current step finish, and starts no other. */
    public void stop() {
        election.stop();
    }

    /** @param seen the statistics so far; absent if the store could not provide them for a step */
    private record Progress(int purged, Optional<LockStatistics> seen, Optional<Cursor> from) {
        Progress after(LockStore.SweepStep step) {
            var together = seen.flatMap(before -> step.seen().map(before::plus));
            return new Progress(purged + step.purged(), together, step.next());
        }
    }

    private Uni<Sweep> step(Election.Term term, Progress before) {
        var bounds = new LockStore.SweepBounds(config.stepSize(), config.staleAfter());
        return store.sweep(before.from(), bounds, clock.instant()).chain(step -> {
            var progress = before.after(step);
            if (step.next().isEmpty()) {
                return done(progress);
            }
            return term.mayContinueAfter(config.stepPause())
                    .chain(more ->
                            more ? step(term, progress) : withoutStatistics(new Sweep.Interrupted(progress.purged())));
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
}
