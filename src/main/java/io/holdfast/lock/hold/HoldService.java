package io.holdfast.lock.hold;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
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
 * Locks that are held by a connection. The lease is renewed while the client is connected, and released when it
 * disconnects. If the replica crashes, the lease expires.
 */
@Singleton
public class HoldService {
    private static final Logger LOG = Logger.getLogger("io.holdfast.lock");

    private final LockService locks;
    private final LeaseRenewers renewers;
    private final KeepAliveLimits limits;
    private final KeepAliveListener listener;
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
     * Acquires the lock, with a wait if the command has one, and renews it until the hold is closed or lost. If the
     * owner already holds the lock, the hold continues with the same lease.
     *
     * @param linger how long the lease stays after a close, so that its owner can reconnect; none if absent
     */
    public Hold hold(AcquireCommand command, Optional<Duration> linger, HoldClient client) {
        var full = new AcquireCommand(
                command.name(),
                command.owner(),
                Optional.of(command.id().orElseGet(LockId::random)),
                limits.holding(command.terms()),
                command.labels());
        var lingers = limits.linger(linger, full.terms().ttl().orElseThrow());
        var hold = new Hold(this, full, lingers, client);
        open.add(hold);
        if (closing) {
            ended(hold);
            client.failed(new StoreUnavailableException("The service is shutting down and accepts no holds."));
        } else if (open.size() > limits.hold().connectionsMax()) {
            ended(hold);
            var refusal = new AcquireOutcome.QueueFull(command.name(), open.size(), HoldConfig.CONNECTIONS_MAX);
            client.refused(new Timestamped<>(refusal, renewers.now()));
        } else {
            listener.holds(open.size());
            hold.begin();
        }
        return hold;
    }

    /**
     * Tells all clients that this replica shuts down. Their leases stay, and the clients can hold them at other
     * replicas.
     */
    public Uni<Void> close() {
        closing = true;
        var leaving = List.copyOf(open).stream().map(Hold::shutDown).toList();
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

    /** A hold that is granted during the shutdown ends like the others. */
    void started(Hold hold) {
        if (closing) {
            hold.shutDown().subscribe().with(done -> {}, failure -> {});
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
