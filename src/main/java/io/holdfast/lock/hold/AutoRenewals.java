package io.holdfast.lock.hold;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockService;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.keepalive.LeaseRenewer;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.keepalive.RenewalTerms;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.AcquireOutcome;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Leases that this replica renews while their holders send heartbeats. A heartbeat makes the replica that receives it
 * renew the lease. So after a crash, the next heartbeat moves the renewal to another replica.
 */
@Singleton
public class AutoRenewals {
    private static final Logger LOG = Logger.getLogger("io.holdfast.lock");
    private static final double PERCENT = 100;

    private final LockService locks;
    private final LeaseRenewers renewers;
    private final KeepAliveLimits limits;
    private final KeepAliveListener listener;
    private final Map<Key, Entry> entries = new ConcurrentHashMap<>();
    /** Requests in flight that may become entries. */
    private final AtomicInteger acquiring = new AtomicInteger();

    /** Without the owner: a request may name its owner with a subject or without one. */
    private record Key(LockName name, LockId id) {
        static Key of(LeaseRef ref) {
            return new Key(ref.name(), ref.id());
        }
    }

    public AutoRenewals(LockService locks, LeaseRenewers renewers, KeepAliveLimits limits, KeepAliveListener listener) {
        this.locks = locks;
        this.renewers = renewers;
        this.limits = limits;
        this.listener = listener;
    }

    /** Acquires a lease that is renewed from then on. The request counts as the first heartbeat. */
    public Uni<Timestamped<AcquireOutcome>> acquire(AcquireCommand command) {
        var full = new AcquireCommand(
                command.name(), command.owner(), command.id(), withDefaults(command.terms()), command.labels());
        var acquired = locks.acquire(full);
        return Uni.createFrom().deferred(() -> {
            var leases = entries.size() + acquiring.incrementAndGet();
            if (leases > limits.renewal().leasesMax()) {
                acquiring.decrementAndGet();
                AcquireOutcome refusal =
                        new AcquireOutcome.QueueFull(command.name(), leases - 1, RenewalConfig.LEASES_MAX);
                return Uni.createFrom().item(new Timestamped<>(refusal, renewers.now()));
            }
            return acquired.invoke(at -> renewFromNow(at.answer()))
                    .onTermination()
                    .invoke(acquiring::decrementAndGet);
        });
    }

    /** The terms with defaults for everything that is absent. */
    public LeaseTerms withDefaults(LeaseTerms asked) {
        return limits.renewing(asked);
    }

    /** The refusal, if this replica cannot renew so many more leases. */
    public Optional<Timestamped<AcquireOutcome>> refusalFor(int more, LockName name) {
        var leases = entries.size() + acquiring.get();
        return leases + more > limits.renewal().leasesMax()
                ? Optional.of(new Timestamped<>(
                        new AcquireOutcome.QueueFull(name, leases, RenewalConfig.LEASES_MAX), renewers.now()))
                : Optional.empty();
    }

    /** Records a heartbeat. Costs no request to the store if this replica already renews the lease. */
    public Uni<Timestamped<HeartbeatOutcome>> heartbeat(LeaseRef ref) {
        return heartbeat(LeaseClaim.of(ref));
    }

    public Uni<Timestamped<HeartbeatOutcome>> heartbeat(LeaseClaim claim) {
        var entry = entries.get(Key.of(claim.ref()));
        if (entry == null || entry.isEnded() || entry.isStale(renewers.now()) || !claim.names(entry.renewer.lease())) {
            // The time is read after the answer, because the answer corrects the clock.
            return locks.find(claim.name()).map(at -> {
                var now = renewers.now();
                return new Timestamped<>(adopt(claim, at.answer(), now), now);
            });
        }
        var now = renewers.now();
        entry.heard(now);
        return Uni.createFrom().item(new Timestamped<>(new HeartbeatOutcome.Heard(entry.renewer.lease()), now));
    }

    private void renewFromNow(AcquireOutcome outcome) {
        switch (outcome) {
            case AcquireOutcome.Granted granted -> renew(granted.lease());
            case AcquireOutcome.AlreadyHeld yours -> renew(yours.lease());
            default -> {}
        }
    }

    private HeartbeatOutcome adopt(LeaseClaim claim, Optional<LockRecord> record, Instant now) {
        var ref = claim.ref();
        var held =
                record.filter(found -> found.statusAt(now) == LockStatus.ACTIVE).map(LockRecord::lease);
        if (held.filter(claim::names).isEmpty()) {
            return new HeartbeatOutcome.NotHeld(held, held.isPresent() ? Optional.empty() : record);
        }
        var lease = held.get();
        if (lease.term().renewUntil().isEmpty()) {
            return new HeartbeatOutcome.NotAutoRenewed(lease);
        }
        if (entries.size() >= limits.renewal().leasesMax()) {
            return new HeartbeatOutcome.TooMany(ref.name(), entries.size(), RenewalConfig.LEASES_MAX);
        }
        var key = Key.of(ref);
        var known = entries.containsKey(key);
        // The next renewal stores the subject.
        renew(lease.adoptedBy(ref.owner()));
        Optional.ofNullable(entries.get(key)).ifPresent(entry -> entry.confirmed(now, known));
        return new HeartbeatOutcome.Heard(lease);
    }

    /** Renews the lease from now on. Counts as a heartbeat. */
    public void renew(Lease lease) {
        var term = lease.term();
        if (term.renewUntil().isEmpty()) {
            return;
        }
        var now = renewers.now();
        var entry = entries.compute(
                Key.of(lease.ref()),
                (key, known) -> known != null && known.isOf(lease) ? known : new Entry(lease, now));
        listener.autoRenewals(entries.size());
        entry.begin();
        entry.heard(now);
    }

    private final class Entry implements LeaseRenewer.Listener {
        private final Lease first;
        private volatile Instant heardAt;
        private volatile Instant confirmedAt;
        private volatile boolean silent;
        private LeaseRenewer renewer;

        Entry(Lease first, Instant now) {
            this.first = first;
            this.heardAt = now;
            this.confirmedAt = now;
        }

        /** A lease with the same lock_id and another token is a later lease, and needs its own renewer. */
        boolean isOf(Lease lease) {
            return first.token().equals(lease.token());
        }

        /** Whether the store has not confirmed the lease for so long that another replica may have released it. */
        boolean isStale(Instant now) {
            return confirmedAt.plus(limits.renewal().heartbeatMax()).isBefore(now);
        }

        /**
         * @param known whether this replica renewed it before; if not, it renews now, so that observers see the lease
         *     in use
         */
        void confirmed(Instant now, boolean known) {
            confirmedAt = now;
            if (!known) {
                renewer.renewNow();
            }
        }

        @Override
        public void renewed(Lease lease) {
            confirmedAt = renewers.now();
        }

        synchronized void begin() {
            if (renewer == null) {
                var term = first.term();
                renewer = renewers.renew(
                        first,
                        new RenewalTerms(
                                term.ttl(),
                                limits.renewal().atPercent() / PERCENT,
                                term.renewUntil(),
                                term.acquiredAt()),
                        this);
            }
        }

        /** Checks the terms first, because a timer may be late. */
        boolean isEnded() {
            begin();
            renewer.check();
            return entries.get(Key.of(first.ref())) != this;
        }

        void heard(Instant now) {
            heardAt = now;
            silent = false;
            begin();
            renewer.resume();
        }

        @Override
        public boolean shouldRenew(Instant now) {
            var wasSilent = silent;
            silent = heardAt.plus(limits.silenceMax(first.term().ttl())).isBefore(now);
            if (silent && !wasSilent) {
                LOG.warnf(
                        "Auto-renewal waits for a heartbeat lock=%s lock_id=%s last_heard_at=%s",
                        first.name(), first.id(), heardAt);
            }
            return !silent;
        }

        @Override
        public void lost(LeaseLoss loss) {
            entries.remove(Key.of(first.ref()), this);
            listener.autoRenewals(entries.size());
            var cause = silent && loss.cause() == LeaseLoss.Cause.EXPIRED ? "SILENCE" : loss.cause();
            LOG.logf(
                    loss.cause() == LeaseLoss.Cause.RELEASED ? Logger.Level.DEBUG : Logger.Level.INFO,
                    "Auto-renewal ended lock=%s lock_id=%s cause=%s",
                    first.name(),
                    first.id(),
                    cause);
        }
    }
}
