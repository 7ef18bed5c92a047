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
 * Removes the tickets of replicas that are gone from the queues that this replica reads: for its own waiters, and for
 * callers that asked once and were refused because of the queue.
 */
@Singleton
public class TicketEviction {
    private static final Logger LOG = Logger.getLogger(TicketEviction.class);

    /** Reads in one ticket TTL for callers that do not wait. */
    private static final int READS_PER_TTL = 5;

    /** Enough to observe a presence for longer than the ticket TTL. */
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

    /** This replica, as its tickets name it. */
    ReplicaId replica() {
        return replica;
    }

    /** Reads the record. If replicas are found to be gone by it, their tickets are removed first. */
    Uni<Optional<LockRecord>> find(LockName name) {
        return read(name).chain(this::evict);
    }

    /** Confirms a replica's tickets. What the store answers is observed, too. */
    Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return Uni.createFrom().deferred(() -> {
            var sent = observer.nanos();
            return store.confirmTickets(name, presence)
                    .invoke(found -> found.ifPresent(record -> observer.observe(record, sent)));
        });
    }

    /**
     * A caller that does not wait was refused because of the queue. Reads the record now and then until it is known of all
     * replicas with tickets in it whether they are gone, so that a queue of the dead does not keep such callers out.
     */
    void observe(LockName name) {
        if (observed.size() < observedMax && observed.add(name)) {
            readLater(name, READS_MAX);
        }
    }

    private void readLater(LockName name, int looksLeft) {
        timers.after(readPause, () -> read(name)
                .chain(seen -> evict(seen)
                        .replaceWith(seen.filter(Observation::unsettled).isPresent()))
                .subscribe()
                .with(unsettled -> goOn(name, looksLeft - 1, unsettled), failure -> goOn(name, looksLeft - 1, true)));
    }

    private void goOn(LockName name, int looksLeft, boolean unsettled) {
        if (unsettled && looksLeft > 0) {
            readLater(name, looksLeft);
        } else {
            observed.remove(name);
        }
    }

    private record Observation(LockRecord record, PresenceObserver.Findings findings) {
        boolean unsettled() {
            return findings.unsettled();
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
        var gone = seen.map(look -> look.findings().gone());
        if (gone.filter(some -> !some.isEmpty()).isEmpty()) {
            return Uni.createFrom().item(seen.map(Observation::record));
        }
        var name = seen.get().record().name();
        LOG.infof(
                "Removing tickets of replicas that are gone lock=%s replicas=%d",
                name, gone.get().size());
        return store.evict(name, gone.get());
    }
}
