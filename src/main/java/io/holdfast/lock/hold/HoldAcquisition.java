package io.holdfast.lock.hold;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockService;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Instant;
import java.util.Optional;

/** Acquires the lock of one hold, or takes over the lease that the owner already has. Thread-safe. */
final class HoldAcquisition {
    /** At most one method is called, and only once. The call can come after {@link HoldAcquisition#cancel}. */
    interface Listener {
        /** @param adopted the lease before this connection took it over; empty if the lease is new */
        void granted(Lease lease, Instant now, Optional<Lease> adopted);

        /** A later connection or request of the owner has taken the lease over. */
        void superseded(Lease lease);

        void refused(Timestamped<AcquireOutcome> refusal);

        void failed(Throwable cause);
    }

    private final LockService locks;
    private final LeaseRenewers renewers;
    private final AcquireCommand command;
    private final Listener listener;
    private volatile AttemptId attempt = AttemptId.ofConnection();

    // Guarded by this.
    private Cancellable subscription = () -> {};
    private boolean cancelled;

    /** @param command with lock_id and all terms */
    HoldAcquisition(LockService locks, LeaseRenewers renewers, AcquireCommand command, Listener listener) {
        this.locks = locks;
        this.renewers = renewers;
        this.command = command;
        this.listener = listener;
    }

    /** The lease belongs to this attempt unless a later connection of the owner has taken it over. */
    AttemptId attempt() {
        return attempt;
    }

    void start() {
        // The lease is stored without max_hold, because this replica enforces it.
        var terms = new LeaseTerms(command.terms().ttl(), command.terms().waitFor(), Optional.empty());
        var acquired = locks.acquire(
                new AcquireCommand(command.name(), command.owner(), command.id(), terms, command.labels()), attempt);
        var started = waits()
                ? acquired.subscribe().with(this::answered, this::failed)
                : locks.follow(acquired, this::answered, this::failed);
        boolean over;
        synchronized (this) {
            subscription = started;
            over = cancelled;
        }
        if (over) {
            cancel();
        }
    }

    /** A request without a wait is not cancelled: its answer comes soon, and a grant is withdrawn then. */
    void cancel() {
        Cancellable current;
        synchronized (this) {
            cancelled = true;
            current = subscription;
        }
        if (waits()) {
            current.cancel();
        }
    }

    private boolean waits() {
        return command.terms().waitFor().filter(wait -> !wait.isZero()).isPresent();
    }

    private synchronized boolean isCancelled() {
        return cancelled;
    }

    private void answered(Timestamped<AcquireOutcome> at) {
        switch (at.answer()) {
            case AcquireOutcome.Granted granted -> listener.granted(granted.lease(), at.now(), Optional.empty());
            case AcquireOutcome.AlreadyHeld yours -> adopt(yours.lease());
            default -> listener.refused(at);
        }
    }

    /** The store may have granted the lock, although its answer is missing. */
    private void failed(Throwable cause) {
        var ref = new LeaseRef(command.name(), command.id().orElseThrow(), command.owner());
        var until = renewers.now().plus(command.terms().ttl().orElseThrow());
        locks.withdrawInDoubt(ref, attempt, until);
        listener.failed(cause);
    }

    /**
     * Continues with a lease that the owner already has, and renews it for the whole TTL. The lease already belongs to
     * this connection, unless the owner has a later one.
     */
    private void adopt(Lease lease) {
        if (isCancelled()) {
            // An older connection of the owner may still rely on the lease.
            return;
        }
        var renewal = locks.renew(LeaseClaim.of(lease, attempt), command.terms().ttl());
        locks.follow(
                renewal,
                at -> {
                    switch (at.answer()) {
                        case RenewOutcome.Renewed renewed ->
                            listener.granted(renewed.lease(), at.now(), Optional.of(lease));
                        case RenewOutcome.Superseded later -> listener.superseded(later.lease());
                        case RenewOutcome.NotHeld notHeld -> startAgain();
                    }
                },
                this::failed);
    }

    /** Uses a new attempt, because a clean-up of the old one may still be in progress. */
    private void startAgain() {
        if (!isCancelled()) {
            attempt = AttemptId.ofConnection();
            start();
        }
    }
}
