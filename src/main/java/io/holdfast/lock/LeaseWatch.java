package io.holdfast.lock;

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
public final class LeaseWatch {
    private final LongSupplier nanos;
    private final Duration margin;
    private final int watchedMax;
    private final Map<LockName, Sighting> sightings;

    private record Sighting(Lease lease, long sinceNanos) {}

    /**
     * @param nanos a clock that only ever goes forward, such as {@link System#nanoTime}
     * @param margin how much longer than its duration a lease is watched, for clocks that do not run alike
     * @param watchedMax how many locks; beyond it the one that was not asked for the longest is forgotten
     */
    public LeaseWatch(LongSupplier nanos, Duration margin, int watchedMax) {
        this.nanos = nanos;
        this.margin = margin;
        this.watchedMax = watchedMax;
        this.sightings = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<LockName, Sighting> eldest) {
                return size() > watchedMax;
            }
        };
    }

    int watchedMax() {
        return watchedMax;
    }

    long nanos() {
        return nanos.getAsLong();
    }

    /** The lock was held by this lease just now. */
    synchronized void saw(Lease lease) {
        var known = sightings.get(lease.name());
        if (known == null || !known.lease().equals(lease)) {
            sightings.put(lease.name(), new Sighting(lease, nanos.getAsLong()));
        }
    }

    /** The lease that holds this lock, if it was watched for longer than it lasts. */
    synchronized Optional<Lease> outlasted(LockName name) {
        return Optional.ofNullable(sightings.get(name))
                .filter(sighting -> Duration.ofNanos(nanos.getAsLong() - sighting.sinceNanos())
                                .compareTo(sighting.lease().term().ttl().plus(margin))
                        > 0)
                .map(Sighting::lease);
    }

    synchronized void forget(LockName name) {
        sightings.remove(name);
    }
}
