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
 * Keeps one lease alive: renews it when a part of its duration is over, tries again soon when the store does not answer,
 * and says once when it is lost. Made by {@link LeaseRenewers}.
 *
 * <p>One renewal is under way at most, and none begins after {@link #stop} or a loss. It holds no thread. Safe for
 * concurrent use; the listener is told without a monitor, by whatever thread brought the news.
 */
public final class LeaseRenewer {
    private static final Duration RETRY_MIN = Duration.ofMillis(200);
    private static final Duration RETRY_MAX = Duration.ofSeconds(5);

    /**
     * @param ttl the duration to renew by
     * @param renewAfter which part of it, of 1, is over when it is renewed
     * @param until when the keeping ends, if it does by itself; no renewal reaches beyond
     * @param since from when on that was counted
     */
    public record Terms(Duration ttl, double renewAfter, Optional<Instant> until, Instant since) {
        Duration beforeRenewal() {
            return Duration.ofMillis(Math.max(1, (long) (ttl.toMillis() * renewAfter)));
        }
    }

    /** Whoever needs the lease. */
    public interface Listener {
        /**
         * Whether the lease is still wanted, now that it is time; asked again after {@link LeaseRenewer#nudge}. Asked under the
         * keeper's monitor, so it only looks.
         */
        default boolean wants(Instant now) {
            return true;
        }

        default void renewed(Lease lease) {}

        /** Called once at most, and never after a stop. A renewal under way may still end: see {@link LeaseRenewer#stop}. */
        void lost(LeaseLoss loss);
    }

    private final LeaseRenewers renewers;
    private final LeaseClaim claim;
    private final Terms terms;
    private final Listener listener;

    // What follows changes under the monitor of this.
    private Lease lease;
    private Instant renewAt;
    private Duration retryPause = RETRY_MIN;
    private boolean stopped;
    private boolean unwanted;
    private boolean failing;
    private CompletableFuture<Void> underWay = CompletableFuture.completedFuture(null);
    private Timers.Timer timer = Timers.Timer.NONE;
    /** The end, on a clock that nobody sets. */
    private Timers.Timer endTimer = Timers.Timer.NONE;

    /** @param claim what must be true of the lease for a renewal */
    LeaseRenewer(LeaseRenewers renewers, Lease lease, LeaseClaim claim, Terms terms, Listener listener) {
        this.renewers = renewers;
        this.lease = lease;
        this.claim = claim;
        this.terms = terms;
        this.listener = listener;
        this.renewAt = lease.term().ttl().equals(terms.ttl()) ? due(lease) : renewers.now();
    }

    /** Begins to keep it. */
    void begin() {
        synchronized (this) {
            scheduleExpiry(renewers.now());
        }
        wake();
    }

    /** The lease as it was last granted. */
    public synchronized Lease lease() {
        return lease;
    }

    /** Renews at once, and not when it would be time. */
    public void renewNow() {
        synchronized (this) {
            renewAt = renewers.now();
        }
        wake();
    }

    /** Somebody has been heard: if it was time to renew and the lease was not wanted, it may be now. */
    public void nudge() {
        boolean overdue;
        synchronized (this) {
            overdue = unwanted;
            unwanted = false;
        }
        if (overdue) {
            wake();
        }
    }

    /** Begins no further renewal. Completes when the one under way, if there is one, has ended. */
    public Uni<Void> stop() {
        return Uni.createFrom().completionStage(end());
    }

    /** Stops, and renews once more, so that whoever goes on with the lease has all of its time; says what to tell them. */
    public Uni<LeaseLoss> leave() {
        return stop().chain(() -> {
                    var now = renewers.now();
                    return renewers.store().renew(claim, Renewal.by(Optional.of(ttlAt(now))), now);
                })
                .chain(this::farewell)
                .onFailure()
                .recoverWithItem(() -> LeaseLoss.shuttingDown(lease()));
    }

    private Uni<LeaseLoss> farewell(RenewOutcome outcome) {
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

    /** It was lost, as somebody knows who did it or saw it. */
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
        timer.cancel();
        endTimer.cancel();
        renewers.forget(this);
        return underWay;
    }

    /** Looks what time it is, and does what it is time for. */
    public void wake() {
        wake(false);
    }

    /** @param due whether the time of the next renewal has come, whatever the clock says: it may have been set back */
    private void wake(boolean due) {
        var now = renewers.now();
        Optional<LeaseLoss> loss;
        var renew = false;
        synchronized (this) {
            if (stopped) {
                return;
            }
            loss = lossBy(now);
            if (loss.isEmpty() && underWay.isDone() && !unwanted && (due || !now.isBefore(renewAt))) {
                renew = listener.wants(now);
                unwanted = !renew;
            }
            if (renew) {
                underWay = new CompletableFuture<>();
            }
            sleep(now);
        }
        loss.ifPresent(this::lose);
        if (renew) {
            renew(now);
        }
    }

    private void ranOut() {
        LeaseLoss loss;
        synchronized (this) {
            loss = lossBy(renewers.now()).orElseGet(this::runOut);
        }
        lose(loss);
    }

    private LeaseLoss runOut() {
        return failing || !underWay.isDone() ? LeaseLoss.storeUnreachable(lease) : LeaseLoss.expired(lease);
    }

    /** Whether a lease has expired is not told by a clock that may have been set, but by the end timer and the store. */
    private Optional<LeaseLoss> lossBy(Instant now) {
        if (terms.until().filter(until -> !now.isBefore(until)).isPresent()) {
            return Optional.of(LeaseLoss.maxHold(lease.name(), Duration.between(terms.since(), now)));
        }
        return Optional.empty();
    }

    /** Until it is time to renew; never for longer than a renewal is due after, wherever the clock has gone. */
    private void sleep(Instant now) {
        timer.cancel();
        if (underWay.isDone() && !unwanted) {
            var pause = Durations.min(Duration.between(now, renewAt), terms.beforeRenewal());
            timer = renewers.after(pause, () -> wake(true));
        }
    }

    /** Counts from now on: a lease that was granted by a clock ahead of ours lasts no longer for that. */
    private void scheduleExpiry(Instant now) {
        endTimer.cancel();
        var left = lease.remainingAt(now);
        var untilMax = terms.until().map(until -> Duration.between(now, until));
        endTimer =
                renewers.after(untilMax.filter(most -> most.compareTo(left) < 0).orElse(left), this::ranOut);
    }

    private void renew(Instant now) {
        renewers.store()
                .renew(claim, Renewal.by(Optional.of(ttlAt(now))), now)
                .subscribe()
                .with(this::answered, failure -> failed());
    }

    private Duration ttlAt(Instant now) {
        var left = terms.until().map(until -> Duration.between(now, until));
        return left.filter(rest -> rest.compareTo(terms.ttl()) < 0).orElse(terms.ttl());
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

    private void renewed(Lease prolonged) {
        boolean over;
        CompletableFuture<Void> ended;
        synchronized (this) {
            lease = prolonged;
            renewAt = due(prolonged);
            retryPause = RETRY_MIN;
            failing = false;
            ended = underWay;
            over = stopped;
            if (!over) {
                scheduleExpiry(renewers.now());
            }
        }
        ended.complete(null);
        if (!over) {
            listener.renewed(prolonged);
            wake();
        }
    }

    private void failed() {
        CompletableFuture<Void> ended;
        synchronized (this) {
            failing = true;
            renewAt = renewers.now().plus(retryPause);
            retryPause = Durations.min(retryPause.multipliedBy(2), longestRetry());
            ended = underWay;
        }
        ended.complete(null);
        wake();
    }

    private void notHeld(Optional<LockRecord> record) {
        endedBy(LeaseLoss.of(lease(), record, renewers.now()));
    }

    private void endedBy(LeaseLoss loss) {
        CompletableFuture<Void> ended;
        synchronized (this) {
            ended = underWay;
        }
        lose(loss);
        ended.complete(null);
    }

    private Duration longestRetry() {
        var tenth = terms.ttl().dividedBy(10);
        return Durations.min(RETRY_MAX, Durations.max(tenth, RETRY_MIN));
    }

    /** The last renewal before the end may be for less than the others; then there is nothing left to renew for. */
    private Instant due(Lease granted) {
        var reachesTheEnd = terms.until()
                .filter(until -> !granted.expiresAt().isBefore(until))
                .isPresent();
        return reachesTheEnd ? granted.expiresAt() : granted.term().grantedAt().plus(terms.beforeRenewal());
    }
}
