package io.holdfast.lock.queue;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Watches the leases that were in somebody's way, on a clock that nobody sets. One that has been the same for longer than
 * it lasts is dead, even if a clock that was wrong once has written an end to it that lies years ahead: its holder
 * counts the same duration from an earlier moment.
 *
 * <p>What it knows is this replica's, and only of locks that somebody asked for. Safe for concurrent use.
 */
public final class LeaseObserver {
    private final LongSupplier nanos;
    private final Duration margin;
    private final int observedMax;
    private final Map<LockName, Observation> observations;

    private record Observation(Lease lease, long sinceNanos) {}

    /**
     * @param nanos a clock that only ever goes forward, such as {@link System#nanoTime}
     * @param margin how much longer than its duration a lease is watched, for clocks that do not run alike
     * @param watchedMax how many locks; beyond it the one that was not asked for the longest is forgotten
     */
    public LeaseObserver(LongSupplier nanos, Duration margin, int watchedMax) {
        this.nanos = nanos;
        this.margin = margin;
        this.observedMax = watchedMax;
        this.observations = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<LockName, Observation> eldest) {
                return size() > watchedMax;
            }
        };
    }

    int observedMax() {
        return observedMax;
    }

    long nanos() {
        return nanos.getAsLong();
    }

    /** The lock was held by this lease just now. */
    public synchronized void observed(Lease lease) {
        var known = observations.get(lease.name());
        if (known == null || !known.lease().equals(lease)) {
            observations.put(lease.name(), new Observation(lease, nanos.getAsLong()));
        }
    }

    /** The lease that holds this lock, if it was watched for longer than it lasts. */
    public synchronized Optional<Lease> unchangedForTtl(LockName name) {
        return Optional.ofNullable(observations.get(name))
                .filter(sighting -> Duration.ofNanos(nanos.getAsLong() - sighting.sinceNanos())
                                .compareTo(sighting.lease().term().ttl().plus(margin))
                        > 0)
                .map(Observation::lease);
    }

    public synchronized void forget(LockName name) {
        observations.remove(name);
    }
}
