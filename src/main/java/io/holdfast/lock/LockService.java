package io.holdfast.lock;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.Renewal;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.lock.queue.LeaseObserver;
import io.holdfast.lock.queue.LockWaiters;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Locks for everybody in the house and outside of it: checks the limits, reads the clock once, asks the store.
 * Safe for concurrent use; no method blocks.
 */
@Singleton
public class LockService {
    private final LockStore store;
    private final LockLimits limits;
    private final InstantSource clock;
    private final LockWaiters waiters;
    private final LeaseObserver observer;
    private final LeaseRenewers renewers;
    private final Cleanup cleanup;

    public LockService(
            LockStore store,
            LockLimits limits,
            InstantSource clock,
            LockWaiters waiters,
            LeaseObserver observer,
            LeaseRenewers renewers) {
        this.store = store;
        this.limits = limits;
        this.clock = clock;
        this.waiters = waiters;
        this.observer = observer;
        this.renewers = renewers;
        this.cleanup = waiters.cleanup();
    }

    public Uni<Timestamped<AcquireOutcome>> acquire(AcquireCommand command) {
        return acquire(command, AttemptId.random(), AcquireRequest.Recipient.CALLER);
    }

    /**
     * For a part of this service that renews the lease, by the attempt, before it tells a caller of it.
     *
     * @param attempt what the lease belongs to from then on; what this attempt leaves behind is taken back by it
     */
    public Uni<Timestamped<AcquireOutcome>> acquire(AcquireCommand command, AttemptId attempt) {
        return acquire(command, attempt, AcquireRequest.Recipient.SERVICE);
    }

    private Uni<Timestamped<AcquireOutcome>> acquire(
            AcquireCommand command, AttemptId attempt, AcquireRequest.Recipient recipient) {
        var terms = new AcquireRequest.Terms(
                limits.ttl(command.terms().ttl()), command.terms().maxHold(), recipient);
        var ref = new LeaseRef(command.name(), command.id().orElseGet(LockId::random), command.owner());
        var request = AcquireRequest.once(ref, attempt, terms, command.labels());
        return limits.waitAllowed(command.terms().waitFor())
                .map(wait -> waiters.acquire(request, wait))
                .orElseGet(() -> askOnce(request));
    }

    private Uni<Timestamped<AcquireOutcome>> askOnce(AcquireRequest request) {
        return at(now -> {
                    var observation =
                            new AcquireRequest.Observation(Optional.empty(), observer.unchangedForTtl(request.name()));
                    return store.acquire(request.with(observation), now);
                })
                .invoke(at -> {
                    switch (at.answer()) {
                        case AcquireOutcome.HeldByAnother held -> observer.observed(held.holder());
                        case AcquireOutcome.Granted granted -> observer.forget(request.name());
                        case AcquireOutcome.ReservedForQueue kept -> waiters.refusedForQueue(request.name());
                        default -> {}
                    }
                });
    }

    public Uni<Timestamped<RenewOutcome>> renew(LeaseRef lease, Optional<Duration> ttl) {
        return renew(LeaseClaim.of(lease), ttl);
    }

    /**
     * A claim that names no attempt is a caller's own renewal. The caller relies on the lease from then on, so the lease
     * moves to this request, and no connection or attempt from before can end it.
     */
    public Uni<Timestamped<RenewOutcome>> renew(LeaseClaim claim, Optional<Duration> ttl) {
        var checked = ttl.map(asked -> limits.ttl(Optional.of(asked)));
        var movesTo = claim.attempt().isPresent() ? Optional.<AttemptId>empty() : Optional.of(AttemptId.random());
        return at(now -> store.renew(claim, new Renewal(checked, movesTo), now));
    }

    /** Renews by its own duration for an attempt whose caller is about to be told of the lease: it moves to that one. */
    public Uni<Timestamped<RenewOutcome>> prolong(Lease lease, AttemptId attempt) {
        var claim = LeaseClaim.of(lease.ref()).withToken(Optional.of(lease.token()));
        return at(now -> store.renew(claim, new Renewal(Optional.empty(), Optional.of(attempt)), now));
    }

    public Uni<Timestamped<ReleaseOutcome>> release(LeaseRef lease) {
        return release(LeaseClaim.of(lease));
    }

    /**
     * Releases a lease without a caller that waits for it. Never fails: while the store does not answer, it is tried again
     * until the lease has expired.
     *
     * @return completes after the first try
     */
    public Uni<Void> releaseQuietly(LeaseClaim claim, Instant until) {
        return cleanup.run(claim.name(), until, () -> release(claim));
    }

    /** @param delay how long the owner has to take the lease over by a later attempt */
    public void releaseQuietlyAfter(Duration delay, LeaseClaim claim, Instant until) {
        cleanup.runAfter(delay, claim.name(), until, () -> release(claim));
    }

    /** Takes back what was granted to the attempt. */
    public Uni<Void> withdrawQuietly(LeaseRef request, AttemptId attempt, Instant until) {
        return waiters.withdraw(request, attempt, until);
    }

    /** Takes back what the attempt may have been granted, or may still be granted: the store did not answer it. */
    public Uni<Void> withdrawInDoubt(LeaseRef request, AttemptId attempt, Instant until) {
        return waiters.withdrawInDoubt(request, attempt, until);
    }

    /** A step whose outcome decides whether there is anything to take back: this replica does not stop before it is known. */
    public <T> Cancellable follow(Uni<T> step, Consumer<? super T> done, Consumer<? super Throwable> failed) {
        return cleanup.follow(step, done, failed);
    }

    public Uni<Timestamped<ReleaseOutcome>> release(LeaseClaim claim) {
        return toTheEnd(at(now -> store.release(claim, now)).invoke(at -> {
            if (at.answer() instanceof ReleaseOutcome.Released released) {
                renewers.released(released.lease());
                var ended =
                        LockRecord.held(released.lease()).with(released.queue()).endedAt(at.now());
                waiters.released(claim.name(), Optional.of(ended));
            }
        }));
    }

    public Uni<Timestamped<ForceReleaseOutcome>> forceRelease(
            LockName name, FencingToken seen, String reason, Optional<Duration> lockDelay) {
        var force = new ForceRelease(name, seen, reason, limits.lockDelay(lockDelay));
        return toTheEnd(at(now -> store.forceRelease(force, now)).invoke(at -> {
            if (at.answer() instanceof ForceReleaseOutcome.Freed freed) {
                freed.previous().ifPresent(lease -> renewers.forced(lease, reason));
            }
            waiters.released(name, Optional.empty());
        }));
    }

    /** A caller that goes away meanwhile must not keep the others from hearing of what it did. */
    private static <T> Uni<T> toTheEnd(Uni<T> step) {
        return Uni.createFrom().emitter(caller -> step.subscribe().with(caller::complete, caller::fail));
    }

    public Uni<Timestamped<Optional<LockRecord>>> find(LockName name) {
        return at(now -> store.find(name));
    }

    public Uni<Timestamped<Page<LockRecord>>> list(
            LockQuery.Filter filter, Optional<Integer> limit, Optional<Cursor> after) {
        var query = new LockQuery(filter, limits.listBounds(limit), after);
        return at(now -> store.list(query, now));
    }

    private <T> Uni<Timestamped<T>> at(Function<Instant, Uni<T>> step) {
        return Uni.createFrom().deferred(() -> {
            var now = clock.instant();
            return step.apply(now).map(answer -> new Timestamped<>(answer, now));
        });
    }
}
