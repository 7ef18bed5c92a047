package io.holdfast.lock.keepalive;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timers;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.Renewal;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Renews one lease: after a part of its TTL, and sooner after a failure of the store. Reports the loss of the lease
 * once. Created by {@link LeaseRenewers}.
 *
 * <p>At most one renewal is in flight, and none starts after {@link #stop} or a loss. Blocks no thread. Thread-safe;
 * the listener is called outside of the monitor.
 */
public final class LeaseRenewer {
    /** The user of the lease. */
    public interface Listener {
        /**
         * Whether to renew the lease now that it is due. If not, renewing pauses until {@link LeaseRenewer#resume}.
         * Called under the monitor of the renewer, so it must not call the renewer.
         */
        default boolean shouldRenew(Instant now) {
            return true;
        }

        default void renewed(Lease lease) {}

        /**
         * Called at most once, and never after a stop. A renewal may still be in flight: see {@link LeaseRenewer#stop}.
         */
        void lost(LeaseLoss loss);
    }

    private final LeaseRenewers renewers;
    private final LeaseClaim claim;
    private final RenewalTerms terms;
    private final Listener listener;

    // Guarded by this.
    private Lease lease;
    private Instant renewAt;
    private Duration retryPause = RenewalTerms.RETRY_MIN;
    private boolean stopped;
    private boolean paused;
    private boolean failing;
    private CompletableFuture<Void> inFlight = CompletableFuture.completedFuture(null);
    private Timers.Timer renewalTimer = Timers.Timer.NONE;
    /** Measures the end of the lease on the monotonic clock. */
    private Timers.Timer expiryTimer = Timers.Timer.NONE;

    /** @param claim the condition of each renewal */
    LeaseRenewer(LeaseRenewers renewers, Lease lease, LeaseClaim claim, RenewalTerms terms, Listener listener) {
        this.renewers = renewers;
        this.lease = lease;
        this.claim = claim;
        this.terms = terms;
        this.listener = listener;
        this.renewAt = lease.term().ttl().equals(terms.ttl()) ? terms.dueAt(lease) : renewers.now();
    }

    void start() {
        synchronized (this) {
            scheduleExpiry(renewers.now());
        }
        check();
    }

    /** The lease as it was last granted. */
    public synchronized Lease lease() {
        return lease;
    }

    /** Renews at once, before the renewal is due. */
    public void renewNow() {
        synchronized (this) {
            renewAt = renewers.now();
        }
        check();
    }

    /** Continues to renew, if {@link Listener#shouldRenew} has paused it. */
    public void resume() {
        boolean wasPaused;
        synchronized (this) {
            wasPaused = paused;
            paused = false;
        }
        if (wasPaused) {
            check();
        }
    }

    /** Starts no further renewal. Completes when the renewal in flight, if there is one, has ended. */
    public Uni<Void> stop() {
        return Uni.createFrom().completionStage(end());
    }

    /**
     * Stops because this replica shuts down. Renews once more, so that the holder has the whole TTL to reconnect
     * elsewhere.
     *
     * @return what to report to the holder
     */
    public Uni<LeaseLoss> shutDown() {
        return stop().chain(() -> {
                    var now = renewers.now();
                    return renewers.store().renew(claim, Renewal.by(Optional.of(terms.ttlAt(now))), now);
                })
                .chain(this::lossAfterShutdown)
                .onFailure()
                .recoverWithItem(() -> LeaseLoss.shuttingDown(lease()));
    }

    private Uni<LeaseLoss> lossAfterShutdown(RenewOutcome outcome) {
        return switch (outcome) {
            case RenewOutcome.Renewed renewed -> {
                synchronized (this) {
                    lease = renewed.lease();
                }
                yield Uni.createFrom().item(LeaseLoss.shuttingDown(renewed.lease()));
            }
            case RenewOutcome.Superseded superseded -> Uni.createFrom().item(LeaseLoss.superseded(lease().name()));
            case RenewOutcome.NotHeld gone ->
                renewers.store().find(lease().name()).map(record -> LeaseLoss.of(lease(), record, renewers.now()));
        };
    }

    void lose(LeaseLoss loss) {
        synchronized (this) {
            if (stopped) {
                return;
            }
            end();
        }
        listener.lost(loss);
    }

    private synchronized CompletableFuture<Void> end() {
        stopped = true;
        renewalTimer.cancel();
        expiryTimer.cancel();
        renewers.forget(this);
        return inFlight;
    }

    /**
     * Renews if that is due, and ends if the terms are over. Timers call it; a caller can call it when a timer is late.
     */
    public void check() {
        check(false);
    }

    /** @param due whether the renewal timer has fired. The clock may have been set back, so it is not compared then */
    private void check(boolean due) {
        var now = renewers.now();
        Optional<LeaseLoss> loss;
        var renew = false;
        synchronized (this) {
            if (stopped) {
                return;
            }
            loss = lossByTerms(now);
            if (loss.isEmpty() && inFlight.isDone() && !paused && (due || !now.isBefore(renewAt))) {
                renew = listener.shouldRenew(now);
                paused = !renew;
            }
            if (renew) {
                inFlight = new CompletableFuture<>();
            }
            scheduleRenewal(now);
        }
        loss.ifPresent(this::lose);
        if (renew) {
            renew(now);
        }
    }

    private void expired() {
        LeaseLoss loss;
        synchronized (this) {
            loss = lossByTerms(renewers.now()).orElseGet(this::lossByExpiry);
        }
        lose(loss);
    }

    private LeaseLoss lossByExpiry() {
        return failing || !inFlight.isDone() ? LeaseLoss.storeUnreachable(lease) : LeaseLoss.expired(lease);
    }

    /**
     * The clock decides only the end of the terms. It may have been set, so the expiry timer and the store decide
     * expiry.
     */
    private Optional<LeaseLoss> lossByTerms(Instant now) {
        return terms.isOver(now)
                ? Optional.of(LeaseLoss.maxHold(lease.name(), Duration.between(terms.since(), now)))
                : Optional.empty();
    }

    /** The pause is bounded, because the clock may have been set back. */
    private void scheduleRenewal(Instant now) {
        renewalTimer.cancel();
        if (inFlight.isDone() && !paused) {
            var pause = Durations.min(Duration.between(now, renewAt), terms.pauseMax());
            renewalTimer = renewers.after(pause, () -> check(true));
        }
    }

    private void scheduleExpiry(Instant now) {
        expiryTimer.cancel();
        expiryTimer = renewers.after(terms.timeLeft(lease, now), this::expired);
    }

    private void renew(Instant now) {
        renewers.store()
                .renew(claim, Renewal.by(Optional.of(terms.ttlAt(now))), now)
                .subscribe()
                .with(this::answered, failure -> failed());
    }

    private void answered(RenewOutcome outcome) {
        switch (outcome) {
            case RenewOutcome.Renewed renewed -> renewed(renewed.lease());
            case RenewOutcome.Superseded superseded -> endedBy(LeaseLoss.superseded(claim.name()));
            case RenewOutcome.NotHeld notHeld ->
                renewers.store()
                        .find(lease().name())
                        .subscribe()
                        .with(this::notHeld, unknown -> notHeld(notHeld.holder().map(LockRecord::held)));
        }
    }

    private void renewed(Lease renewed) {
        boolean over;
        CompletableFuture<Void> ended;
        synchronized (this) {
            lease = renewed;
            renewAt = terms.dueAt(renewed);
            retryPause = RenewalTerms.RETRY_MIN;
            failing = false;
            ended = inFlight;
            over = stopped;
            if (!over) {
                scheduleExpiry(renewers.now());
            }
        }
        ended.complete(null);
        if (!over) {
            listener.renewed(renewed);
            check();
        }
    }

    private void failed() {
        CompletableFuture<Void> ended;
        synchronized (this) {
            failing = true;
            renewAt = renewers.now().plus(retryPause);
            retryPause = terms.nextRetry(retryPause);
            ended = inFlight;
        }
        ended.complete(null);
        check();
    }

    private void notHeld(Optional<LockRecord> record) {
        endedBy(LeaseLoss.of(lease(), record, renewers.now()));
    }

    private void endedBy(LeaseLoss loss) {
        CompletableFuture<Void> ended;
        synchronized (this) {
            ended = inFlight;
        }
        lose(loss);
        ended.complete(null);
    }
}
