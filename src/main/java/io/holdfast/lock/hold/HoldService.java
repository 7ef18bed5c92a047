package io.holdfast.lock.hold;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockService;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.port.AcquireOutcome;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Locks that are held by a connection. The lease is renewed while the client is there, and given back when it goes; a
 * replica that dies leaves it to run out.
 */
@Singleton
public class HoldService {
    private static final Logger LOG = Logger.getLogger("io.holdfast.lock");

    private final LockService locks;
    private final LeaseRenewers renewers;
    private final KeepAliveLimits limits;
    private final KeepAliveListener listener;
    /** In the order of their arrival. */
    private final Set<Hold> open = Collections.synchronizedSet(new LinkedHashSet<>());

    private final Map<LeaseRef, Hold> byLease = new ConcurrentHashMap<>();
    private volatile boolean closing;

    public HoldService(LockService locks, LeaseRenewers renewers, KeepAliveLimits limits, KeepAliveListener listener) {
        this.locks = locks;
        this.renewers = renewers;
        this.limits = limits;
        this.listener = listener;
    }

    /**
     * Asks for the lock, waits for it if the wish says so, and keeps it until the hold is closed or lost. A wish by an
     * owner that has the lock already goes on with the lease it has.
     *
     * @param linger how long after a close the lease stays, so that its owner can come back; not at all if absent
     */
    public Hold hold(AcquireCommand command, Optional<Duration> linger, HoldClient client) {
        var full = new AcquireCommand(
                command.name(),
                command.owner(),
                Optional.of(command.id().orElseGet(LockId::random)),
                limits.holding(command.terms()),
                command.labels());
        var stays = limits.linger(linger, full.terms().ttl().orElseThrow());
        var hold = new Hold(this, full, stays, client);
        open.add(hold);
        if (closing) {
            ended(hold);
            client.failed(new StoreUnavailableException("The service is shutting down, and nothing is held here."));
        } else if (open.size() > limits.hold().connectionsMax()) {
            ended(hold);
            var refusal = new AcquireOutcome.QueueFull(command.name(), open.size(), HoldConfig.CONNECTIONS_MAX);
            client.refused(new Timestamped<>(refusal, renewers.now()));
        } else {
            listener.holds(open.size());
            hold.begin(asking(hold));
        }
        return hold;
    }

    /** Tells everybody that this replica goes away. Their leases stay, to be held elsewhere. */
    public Uni<Void> close() {
        closing = true;
        var leaving = List.copyOf(open).stream().map(Hold::leave).toList();
        return leaving.isEmpty()
                ? Uni.createFrom().voidItem()
                : Uni.join().all(leaving).andCollectFailures().replaceWithVoid();
    }

    void supersede(LeaseRef lease, Hold later) {
        Optional.ofNullable(byLease.put(lease, later)).ifPresent(Hold::superseded);
    }

    void ended(Hold hold) {
        open.remove(hold);
        byLease.values().remove(hold);
        listener.holds(open.size());
    }

    void lost(Hold hold, LeaseLoss loss) {
        listener.holdLost(loss.cause());
        LOG.logf(
                loss.cause() == LeaseLoss.Cause.RELEASED ? Logger.Level.DEBUG : Logger.Level.INFO,
                "Hold ended lock=%s cause=%s",
                hold.name(),
                loss.cause());
    }

    /** How long it is held is this replica's affair, and not in the lease. */
    private Uni<Timestamped<AcquireOutcome>> asking(Hold hold) {
        var full = hold.command();
        var terms = new LeaseTerms(full.terms().ttl(), full.terms().waitFor(), Optional.empty());
        var command = new AcquireCommand(full.name(), full.owner(), full.id(), terms, full.labels());
        return locks.acquire(command, hold.attempt());
    }

    /** What the owner had is gone: the lock is asked for like any other. */
    void ask(Hold hold) {
        hold.begin(asking(hold));
    }

    /** Whoever is granted a lock while the replica goes away is told so like the others. */
    void began(Hold hold) {
        if (closing) {
            hold.leave().subscribe().with(done -> {}, failure -> {});
        }
    }

    LockService locks() {
        return locks;
    }

    LeaseRenewers renewers() {
        return renewers;
    }

    KeepAliveLimits limits() {
        return limits;
    }
}
