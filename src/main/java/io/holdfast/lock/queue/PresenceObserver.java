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
 * Tells which replicas are gone, by their presences in the records that this replica reads. A living replica changes its
 * presence three times in the ticket TTL. A presence that was observed unchanged for the ticket TTL therefore belongs to a
 * replica that is gone.
 *
 * <p>No replica can confirm its presence while the store is away. So only time counts during which the store answered this
 * replica: after a gap between two answers the observation begins anew. Times are monotonic, and no clock of another
 * replica matters.
 *
 * <p>A replica that starts knows nothing, and takes no other replica for gone before it has observed for the ticket TTL. Safe for concurrent
 * use.
 */
final class PresenceObserver {
    private final ReplicaId self;
    private final LongSupplier nanos;
    private final long ttlNanos;
    private final long gapMaxNanos;
    private final Map<LockName, Observation> observations;

    private enum State {
        /** Observed for less than the ticket TTL, and not seen to change. */
        UNKNOWN,
        /** Seen to change, less than the ticket TTL ago. */
        ALIVE,
        /** For good, as long as the presence is this one. */
        GONE
    }

    private record Sighting(Instant until, long sinceNanos, State state) {}

    /** @param sentNanos when the request left whose answer was the last one */
    private record Observation(long sentNanos, Map<ReplicaId, Sighting> sightings) {
        static final Observation NONE = new Observation(0, Map.of());
    }

    /**
     * @param gone the presences of replicas that are gone and have tickets in the queue
     * @param unsettled whether there are tickets of replicas of which it is not known yet
     */
    record Findings(List<Presence> gone, boolean unsettled) {}

    /**
     * @param self never gone for itself
     * @param nanos a clock that only ever goes forward, such as {@link System#nanoTime}
     * @param observedMax how many queues; beyond it the one that was not read for the longest is forgotten
     */
    PresenceObserver(ReplicaId self, LongSupplier nanos, Duration ticketTtl, int observedMax) {
        this.self = self;
        this.nanos = nanos;
        this.ttlNanos = ticketTtl.toNanos();
        // A replica confirms every third of the TTL. If it misses one because the store is away for so long, it still
        // confirms again before the TTL is over.
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
     * @param record as the store has just answered
     * @param sentNanos when it was asked, by {@link #nanos}. The record may be from any moment since
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

    /** Answers may overtake each other. Monotonic times may be negative, so only differences tell. */
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
        var unsettled = false;
        for (var sighting : sightings.entrySet()) {
            switch (sighting.getValue().state()) {
                case GONE ->
                    gone.add(new Presence(sighting.getKey(), sighting.getValue().until()));
                case UNKNOWN -> unsettled = true;
                case ALIVE -> {}
            }
        }
        return new Findings(gone, unsettled);
    }
}
