package io.holdfast.lock;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps one lease alive: renews it when a part of its duration is over, tries again soon when the store does not answer,
 * and says once when it is lost. Made by {@link Keepers}.
 *
 * <p>One renewal is under way at most, and none begins after {@link #stop} or a loss. It holds no thread. Safe for
 * concurrent use; the listener is told without a monitor, by whatever thread brought the news.
 */
public final class Keeper {
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
         * Whether the lease is still wanted, now that it is time; asked again after {@link Keeper#nudge}. Asked under the
         * keeper's monitor, so it only looks.
         */
        default boolean wants(Instant now) {
            return true;
        }

        default void renewed(Lease lease) {}

        /** Called once at most, and never after a stop. A renewal under way may still end: see {@link Keeper#stop}. */
        void lost(Loss loss);
    }

    private final Keepers keepers;
    private final Terms terms;
    private final Listener listener;

    // What follows changes under the monitor of this.
    private Lease lease;
    private Instant renewAt;
    private Duration retryPause = RETRY_MIN;
    private boolean stopped;
    private boolean unwanted;
    private boolean failing;
    private boolean doubtful;
    private CompletableFuture<Void> underWay = CompletableFuture.completedFuture(null);
    private Timers.Timer timer = Timers.Timer.NONE;

    Keeper(Keepers keepers, Lease lease, Terms terms, Listener listener) {
        this.keepers = keepers;
        this.lease = lease;
        this.terms = terms;
        this.listener = listener;
        this.renewAt = lease.term().ttl().equals(terms.ttl()) ? due(lease) : keepers.now();
    }

    /** The lease as it was last granted. */
    public synchronized Lease lease() {
        return lease;
    }

    /** Whether a renewal may have happened of which nobody knows. */
    synchronized boolean isDoubtful() {
        return doubtful;
    }

    /** Renews at once, and not when it would be time. */
    void renewNow() {
        synchronized (this) {
            renewAt = keepers.now();
        }
        wake();
    }

    /** Somebody has been heard: if it was time to renew and the lease was not wanted, it may be now. */
    void nudge() {
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
    Uni<Loss> leave() {
        return stop().chain(() -> {
                    var now = keepers.now();
                    return keepers.store().renew(lease().ref(), Optional.of(ttlAt(now)), now);
                })
                .chain(this::farewell)
                .onFailure()
                .recoverWithItem(() -> Loss.shuttingDown(lease()));
    }

    private Uni<Loss> farewell(RenewOutcome outcome) {
        return switch (outcome) {
            case RenewOutcome.Renewed renewed -> {
                synchronized (this) {
                    lease = renewed.lease();
                }
                yield Uni.createFrom().item(Loss.shuttingDown(renewed.lease()));
            }
            case RenewOutcome.NotHeld gone ->
                keepers.store().find(lease().name()).map(record -> Loss.of(lease(), record, keepers.now()));
        };
    }

    /** It was lost, as somebody knows who did it or saw it. */
    void lose(Loss loss) {
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
        keepers.forget(this);
        return underWay;
    }

    /** Looks what time it is, and does what it is time for. */
    void wake() {
        var now = keepers.now();
        Optional<Loss> loss;
        var renew = false;
        synchronized (this) {
            if (stopped) {
                return;
            }
            loss = lossBy(now);
            if (loss.isEmpty() && underWay.isDone() && !unwanted && !now.isBefore(renewAt)) {
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

    private Optional<Loss> lossBy(Instant now) {
        if (terms.until().filter(until -> !now.isBefore(until)).isPresent()) {
            return Optional.of(Loss.maxHold(lease.name(), Duration.between(terms.since(), now)));
        }
        if (lease.expiredAt(now)) {
            return Optional.of(failing || !underWay.isDone() ? Loss.storeUnreachable(lease) : Loss.expired(lease));
        }
        return Optional.empty();
    }

    /** Until it is time to renew, or all is over, whichever comes first. */
    private void sleep(Instant now) {
        var next = terms.until().filter(lease.expiresAt()::isAfter).orElse(lease.expiresAt());
        if (underWay.isDone() && !unwanted && renewAt.isBefore(next)) {
            next = renewAt;
        }
        timer.cancel();
        timer = keepers.after(Duration.between(now, next), this::wake);
    }

    private void renew(Instant now) {
        keepers.store()
                .renew(lease().ref(), Optional.of(ttlAt(now)), now)
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
            case RenewOutcome.NotHeld notHeld ->
                keepers.store()
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
            doubtful = false;
            ended = underWay;
            over = stopped;
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
            doubtful = true;
            renewAt = keepers.now().plus(retryPause);
            retryPause = shorter(retryPause.multipliedBy(2), longestRetry());
            ended = underWay;
        }
        ended.complete(null);
        wake();
    }

    private void notHeld(Optional<LockRecord> record) {
        CompletableFuture<Void> ended;
        Loss loss;
        synchronized (this) {
            ended = underWay;
            loss = Loss.of(lease, record, keepers.now());
        }
        lose(loss);
        ended.complete(null);
    }

    private Duration longestRetry() {
        var tenth = terms.ttl().dividedBy(10);
        return shorter(RETRY_MAX, tenth.compareTo(RETRY_MIN) < 0 ? RETRY_MIN : tenth);
    }

    /** The last renewal before the end may be for less than the others; then there is nothing left to renew for. */
    private Instant due(Lease granted) {
        var reachesTheEnd = terms.until()
                .filter(until -> !granted.expiresAt().isBefore(until))
                .isPresent();
        return reachesTheEnd ? granted.expiresAt() : granted.term().grantedAt().plus(terms.beforeRenewal());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
