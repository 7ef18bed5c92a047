package io.holdfast.lock.queue;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Measures on a monotonic clock for how long the leases that blocked a request have not changed. A lease that is
 * unchanged for longer than its TTL has expired, even if a wrong clock has written an {@code expires_at} in the far
 * future. Its holder knows that too: it counts the same TTL from an earlier time.
 *
 * <p>Knows only the locks that were requested at this replica. Thread-safe.
 */
public final class LeaseObserver {
    private final LongSupplier nanos;
    private final Duration margin;
    private final int observedMax;
    private final Map<LockName, Observation> observations;

    private record Observation(Lease lease, long sinceNanos) {}

    /**
     * @param nanos a monotonic clock such as {@link System#nanoTime}
     * @param margin how much longer than its TTL a lease is observed, because clocks run at different speeds
     * @param observedMax the most locks; beyond it the least recently requested one is forgotten
     */
    public LeaseObserver(LongSupplier nanos, Duration margin, int observedMax) {
        this.nanos = nanos;
        this.margin = margin;
        this.observedMax = observedMax;
        this.observations = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<LockName, Observation> eldest) {
                return size() > observedMax;
            }
        };
    }

    int observedMax() {
        return observedMax;
    }

    long nanos() {
        return nanos.getAsLong();
    }

    /** Records that this lease holds the lock now. */
    public synchronized void observed(Lease lease) {
        var known = observations.get(lease.name());
        if (known == null || !known.lease().equals(lease)) {
            observations.put(lease.name(), new Observation(lease, nanos.getAsLong()));
        }
    }

    /** The lease that holds this lock, if it was observed unchanged for longer than its TTL. */
    public synchronized Optional<Lease> unchangedForTtl(LockName name) {
        return Optional.ofNullable(observations.get(name))
                .filter(observation -> Duration.ofNanos(nanos.getAsLong() - observation.sinceNanos())
                                .compareTo(observation.lease().term().ttl().plus(margin))
                        > 0)
                .map(Observation::lease);
    }

    public synchronized void forget(LockName name) {
        observations.remove(name);
    }
}
