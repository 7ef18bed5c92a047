package io.holdfast.lock.queue;

import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Finds replicas that are gone, by their presences in the records that this replica reads. A live replica changes its
 * presence three times per ticket TTL. So a replica whose presence stays unchanged for the ticket TTL is gone.
 *
 * <p>No replica can confirm its presence during an outage of the store. So after a gap between two answers of the
 * store, the observation restarts. Times are taken from the local monotonic clock, so clock skew has no effect.
 *
 * <p>After a start, no other replica counts as gone before this one has observed it for the ticket TTL. Thread-safe.
 */
final class PresenceObserver {
    private final ReplicaId self;
    private final LongSupplier nanos;
    private final long ttlNanos;
    private final long gapMaxNanos;
    private final Map<LockName, Observation> observations;

    private enum State {
        /** Observed unchanged for less than the ticket TTL. */
        UNKNOWN,
        /** Changed within the ticket TTL. */
        ALIVE,
        /** Unchanged for the ticket TTL. Final for this presence. */
        GONE
    }

    /**
     * @param until the presence of the replica, as last read
     * @param sinceNanos when this presence was first read
     */
    private record Sighting(Instant until, long sinceNanos, State state) {}

    /** @param sentNanos when the last answered request was sent */
    private record Observation(long sentNanos, Map<ReplicaId, Sighting> sightings) {
        static final Observation NONE = new Observation(0, Map.of());
    }

    /**
     * @param gone the presences of replicas that are gone and still have tickets in the queue
     * @param undecided whether the queue has tickets of replicas that are not known to be alive or gone
     */
    record Findings(List<Presence> gone, boolean undecided) {}

    /**
     * @param self this replica, which is never gone
     * @param nanos a monotonic clock such as {@link System#nanoTime}
     * @param observedMax the most queues; beyond it the least recently read one is forgotten
     */
    PresenceObserver(ReplicaId self, LongSupplier nanos, Duration ticketTtl, int observedMax) {
        this.self = self;
        this.nanos = nanos;
        this.ttlNanos = ticketTtl.toNanos();
        // A replica confirms every third of the TTL. If a shorter outage prevents one confirmation, the next one still
        // comes within the TTL.
        this.gapMaxNanos = ttlNanos / 2;
        this.observations = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<LockName, Observation> eldest) {
                return size() > observedMax;
            }
        };
    }

    long nanos() {
        return nanos.getAsLong();
    }

    /**
     * @param record the answer of the store
     * @param sentNanos when the request was sent, by {@link #nanos}. The store may have read the record at any time
     *     since
     */
    synchronized Findings observe(LockRecord record, long sentNanos) {
        var now = nanos();
        var before = observations.getOrDefault(record.name(), Observation.NONE);
        var unbroken = now - before.sentNanos() <= gapMaxNanos;
        var sightings = new HashMap<ReplicaId, Sighting>();
        for (var presence : record.queue().presences()) {
            if (!presence.replica().equals(self)) {
                var known = before.sightings().get(presence.replica());
                sightings.put(presence.replica(), next(known, presence.until(), unbroken, sentNanos, now));
            }
        }
        if (sightings.isEmpty()) {
            observations.remove(record.name());
        } else {
            observations.put(record.name(), new Observation(later(sentNanos, before), sightings));
        }
        return findings(sightings);
    }

    /** Answers can arrive out of order. Monotonic times can be negative, so only differences are compared. */
    private static long later(long sentNanos, Observation before) {
        return before == Observation.NONE || sentNanos - before.sentNanos() > 0 ? sentNanos : before.sentNanos();
    }

    private Sighting next(Sighting known, Instant until, boolean unbroken, long sentNanos, long now) {
        if (known == null || !known.until().equals(until)) {
            return new Sighting(until, now, known == null ? State.UNKNOWN : State.ALIVE);
        }
        if (known.state() == State.GONE) {
            return known;
        }
        if (!unbroken) {
            return new Sighting(until, now, State.UNKNOWN);
        }
        return sentNanos - known.sinceNanos() > ttlNanos ? new Sighting(until, known.sinceNanos(), State.GONE) : known;
    }

    private static Findings findings(Map<ReplicaId, Sighting> sightings) {
        var gone = new ArrayList<Presence>();
        var undecided = false;
        for (var sighting : sightings.entrySet()) {
            switch (sighting.getValue().state()) {
                case GONE ->
                    gone.add(new Presence(sighting.getKey(), sighting.getValue().until()));
                case UNKNOWN -> undecided = true;
                case ALIVE -> {}
            }
        }
        return new Findings(gone, undecided);
    }
}
