package io.holdfast.lock;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.Subject;
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
 * Entry point for all lock operations. Validates limits, reads the clock once, delegates to the store. Thread-safe and
 * non-blocking.
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
     * For a component of this service that renews the lease before it reports the lease to a caller.
     *
     * @param attempt the attempt that the lease belongs to; the component names it to renew, release or withdraw
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
                        case AcquireOutcome.ReservedForQueue reserved -> waiters.refusedForQueue(request.name());
                        default -> {}
                    }
                });
    }

    public Uni<Timestamped<RenewOutcome>> renew(LeaseRef lease, Optional<Duration> ttl) {
        return renew(LeaseClaim.of(lease), ttl);
    }

    /**
     * A claim without an attempt is a renewal by the caller itself. The caller relies on the lease from then on. So the
     * lease moves to this request, and no earlier connection or attempt can end it.
     */
    public Uni<Timestamped<RenewOutcome>> renew(LeaseClaim claim, Optional<Duration> ttl) {
        var checked = ttl.map(asked -> limits.ttl(Optional.of(asked)));
        var movesTo = claim.attempt().isPresent() ? Optional.<AttemptId>empty() : Optional.of(AttemptId.random());
        return at(now -> store.renew(claim, new Renewal(checked, movesTo), now));
    }

    /** Renews by the lease's own TTL and moves the lease to this attempt, whose caller gets the lease next. */
    public Uni<Timestamped<RenewOutcome>> renewFor(Lease lease, AttemptId attempt) {
        var claim = LeaseClaim.of(lease.ref()).withToken(Optional.of(lease.token()));
        return at(now -> store.renew(claim, new Renewal(Optional.empty(), Optional.of(attempt)), now));
    }

    public Uni<Timestamped<ReleaseOutcome>> release(LeaseRef lease) {
        return release(LeaseClaim.of(lease));
    }

    /**
     * Releases a lease in the background. Never fails: while the store does not answer, the release is retried until
     * the lease has expired.
     *
     * @return completes after the first try
     */
    public Uni<Void> releaseQuietly(LeaseClaim claim, Instant until) {
        return cleanup.run(claim.name(), until, () -> release(claim));
    }

    /** @param delay the time in which a later attempt of the owner can take the lease over */
    public void releaseQuietlyAfter(Duration delay, LeaseClaim claim, Instant until) {
        cleanup.runAfter(delay, claim.name(), until, () -> release(claim));
    }

    /** Releases the lease that was granted to the attempt, if no other attempt relies on it. */
    public Uni<Void> withdrawQuietly(LeaseRef request, AttemptId attempt, Instant until) {
        return waiters.withdraw(request, attempt, until);
    }

    /** As {@link #withdrawQuietly}, for an attempt that the store did not answer and may still grant. */
    public Uni<Void> withdrawInDoubt(LeaseRef request, AttemptId attempt, Instant until) {
        return waiters.withdrawInDoubt(request, attempt, until);
    }

    /** Runs a step whose outcome decides whether a clean-up is needed. A shutdown waits for the outcome. */
    public <T> Cancellable follow(Uni<T> step, Consumer<? super T> done, Consumer<? super Throwable> failed) {
        return cleanup.follow(step, done, failed);
    }

    public Uni<Timestamped<ReleaseOutcome>> release(LeaseClaim claim) {
        return uncancelled(at(now -> store.release(claim, now)).invoke(at -> {
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
        return forceRelease(name, seen, reason, lockDelay, Optional.empty());
    }

    /** @param onlyOf if present, only a lease that belongs to this subject is ended */
    public Uni<Timestamped<ForceReleaseOutcome>> forceRelease(
            LockName name, FencingToken seen, String reason, Optional<Duration> lockDelay, Optional<Subject> onlyOf) {
        var force = new ForceRelease(name, seen, reason, limits.lockDelay(lockDelay), onlyOf);
        return uncancelled(at(now -> store.forceRelease(force, now)).invoke(at -> {
            if (at.answer() instanceof ForceReleaseOutcome.Freed freed) {
                freed.previous().ifPresent(lease -> renewers.forced(lease, reason));
            }
            waiters.released(name, Optional.empty());
        }));
    }

    /** Completes the step even if the caller disconnects, so that waiters and renewers here learn of the release. */
    private static <T> Uni<T> uncancelled(Uni<T> step) {
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
