package io.holdfast.lock.queue;

import io.holdfast.kernel.Timers;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.port.LockStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Removes the tickets of replicas that are gone from the queues that this replica reads. It reads them for its own
 * waiters, and for callers without {@code wait} that were refused because of the queue.
 */
@Singleton
public class TicketEviction {
    private static final Logger LOG = Logger.getLogger(TicketEviction.class);

    /** Reads per ticket TTL after a caller without {@code wait} was refused. */
    private static final int READS_PER_TTL = 5;

    /** Covers more than the ticket TTL, because a presence must be observed for that long. */
    private static final int READS_MAX = READS_PER_TTL + 3;

    private final ReplicaId replica = ReplicaId.random();
    private final LockStore store;
    private final PresenceObserver observer;
    private final Timers timers;
    private final Duration readPause;
    private final int observedMax;
    private final Set<LockName> observed = ConcurrentHashMap.newKeySet();

    public TicketEviction(LockStore store, Timers timers, WaitConfig config, LeaseObserver observer) {
        this.store = store;
        this.observer = new PresenceObserver(replica, observer::nanos, config.ticketTtl(), observer.observedMax());
        this.timers = timers;
        this.readPause = config.ticketTtl().dividedBy(READS_PER_TTL);
        this.observedMax = observer.observedMax();
    }

    /** The id of this replica in its tickets. */
    ReplicaId replica() {
        return replica;
    }

    /** Reads the record, and removes the tickets of replicas that are gone. */
    Uni<Optional<LockRecord>> find(LockName name) {
        return read(name).chain(this::evict);
    }

    /** Confirms the tickets of this replica, and observes the record that the store returns. */
    Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return Uni.createFrom().deferred(() -> {
            var sent = observer.nanos();
            return store.confirmTickets(name, presence)
                    .invoke(found -> found.ifPresent(record -> observer.observe(record, sent)));
        });
    }

    /**
     * A caller that does not wait was refused because of the queue. Reads the record repeatedly until each replica with
     * tickets is known to be alive or gone. So tickets of crashed replicas do not block such callers until their
     * deadlines.
     */
    void observe(LockName name) {
        if (observed.size() < observedMax && observed.add(name)) {
            readLater(name, READS_MAX);
        }
    }

    private void readLater(LockName name, int readsLeft) {
        timers.after(readPause, () -> read(name)
                .chain(seen -> evict(seen)
                        .replaceWith(seen.filter(Observation::undecided).isPresent()))
                .subscribe()
                .with(
                        undecided -> continueReading(name, readsLeft - 1, undecided),
                        failure -> continueReading(name, readsLeft - 1, true)));
    }

    private void continueReading(LockName name, int readsLeft, boolean undecided) {
        if (undecided && readsLeft > 0) {
            readLater(name, readsLeft);
        } else {
            observed.remove(name);
        }
    }

    private record Observation(LockRecord record, PresenceObserver.Findings findings) {
        boolean undecided() {
            return findings.undecided();
        }
    }

    private Uni<Optional<Observation>> read(LockName name) {
        return Uni.createFrom().deferred(() -> {
            var sent = observer.nanos();
            return store.find(name)
                    .map(found -> found.map(record -> new Observation(record, observer.observe(record, sent))));
        });
    }

    private Uni<Optional<LockRecord>> evict(Optional<Observation> seen) {
        var gone = seen.map(observation -> observation.findings().gone());
        if (gone.filter(presences -> !presences.isEmpty()).isEmpty()) {
            return Uni.createFrom().item(seen.map(Observation::record));
        }
        var name = seen.get().record().name();
        LOG.infof(
                "Removing tickets of replicas that are gone lock=%s replicas=%d",
                name, gone.get().size());
        return store.evict(name, gone.get());
    }
}
