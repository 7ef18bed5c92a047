package io.holdfast.lock;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.LockService.At;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Everybody who waits for a lock at this replica. The order is the store's: a place in line is a ticket in the lock's
 * record, and the write that grants the lock checks whose turn it is. What is here only decides when to ask.
 *
 * <p>Who waits holds no thread. Who goes away leaves the line; if the lock was granted in that very moment, it is given
 * back.
 */
@Singleton
public class WaitingRoom {
    private static final Logger LOG = Logger.getLogger(WaitingRoom.class);
    private static final int PRESENCES_PER_TTL = 3;
    private static final int PRESENCE_RETRIES = 5;

    private final LockStore store;
    private final LockLimits limits;
    private final InstantSource clock;
    private final Timers timers;
    private final Witnesses witnesses;
    private final ReplicaId replica = ReplicaId.random();
    private final TicketEviction eviction;
    private final Map<LockName, LocalLine> lines = new ConcurrentHashMap<>();
    private final AtomicInteger callers = new AtomicInteger();
    private volatile boolean closing;

    public WaitingRoom(LockStore store, LockLimits limits, InstantSource clock, Timers timers, Witnesses witnesses) {
        this.store = store;
        this.limits = limits;
        this.clock = clock;
        this.timers = timers;
        this.witnesses = witnesses;
        var observer = new PresenceObserver(
                replica,
                witnesses.watch()::nanos,
                limits.waiting().ticketTtl(),
                limits.config().watchedMax());
        this.eviction = new TicketEviction(store, observer, timers, limits);
    }

    /** Who looks on: one for what stands in the way, one for how callers fare, one for what callers leave behind. */
    public record Witnesses(LeaseWatch watch, WaitListener listener, Cleanup cleanup) {}

    /** Asks for the lock and waits until it is granted, at most for {@code wait}. */
    Uni<At<AcquireOutcome>> acquire(AcquireRequest request, Duration wait) {
        return Uni.createFrom().deferred(() -> {
            var now = clock.instant();
            var waiter = new Waiter(request.arriving(now, now.plus(wait), presence()));
            return Uni.createFrom()
                    .<At<AcquireOutcome>>emitter(caller -> {
                        waiter.listensOn(caller);
                        enter(waiter, caller);
                    })
                    .invoke(waiter::heard);
        });
    }

    private void enter(Waiter waiter, UniEmitter<?> caller) {
        var request = waiter.request();
        if (closing) {
            waiter.tell(shuttingDown());
        } else if (callers.incrementAndGet() > limits.waiting().callersMax()) {
            var full = new AcquireOutcome.LineFull(request.name(), callers.decrementAndGet(), WaitConfig.CALLERS_MAX);
            witnesses.listener().turnedAway();
            waiter.tell(new At<>(full, waiter.since()));
        } else {
            var line = lines.compute(request.name(), (name, known) -> (known == null ? open(name) : known).expect());
            caller.onTermination(() -> abandon(waiter, line));
            arrive(waiter, line);
        }
    }

    /** Something was given back here: whoever is next need not wait for a timer. */
    void released(LockName name, Optional<LockRecord> record) {
        Optional.ofNullable(lines.get(name)).ifPresent(line -> line.wake(record));
    }

    /** Sends everybody away, and lets nobody in any more. Whoever was in line gives up the place. */
    public void close() {
        closing = true;
        lines.values().forEach(line -> line.disperse(shuttingDown()));
    }

    private static StoreUnavailableException shuttingDown() {
        return new StoreUnavailableException("The service is shutting down, and nobody waits here any more.");
    }

    private void abandon(Waiter waiter, LocalLine line) {
        if (waiter.goesAway()) {
            line.leave(waiter);
        }
    }

    private LocalLine open(LockName name) {
        return new LocalLine(
                name, this, new Pauses(limits.waiting(), limits.config().maxClockSkew()));
    }

    /** Not cancelled with the caller: what the store was asked to do must be known before it can be undone. */
    private void arrive(Waiter waiter, LocalLine line) {
        var wakesBefore = line.wakes();
        var request = waiter.request()
                .with(new AcquireRequest.Sight(
                        Optional.empty(), witnesses.watch().outlasted(line.name())));
        cleanup()
                .follow(
                        store.acquire(request, waiter.since()),
                        outcome -> {
                            if (outcome instanceof AcquireOutcome.InLine place) {
                                joined(waiter, place.record(), line, wakesBefore);
                            } else {
                                line.turnedBack();
                                settled(waiter, new At<>(outcome, waiter.since()), line);
                            }
                        },
                        failure -> {
                            line.turnedBack();
                            failed(waiter, failure, line);
                        });
    }

    private void joined(Waiter waiter, LockRecord record, LocalLine line, long wakesBefore) {
        witness(record);
        waiter.joined = true;
        witnesses.listener().joined();
        line.joined(waiter, record, wakesBefore);
        if (closing) {
            line.disperse(shuttingDown());
        }
    }

    Cleanup cleanup() {
        return witnesses.cleanup();
    }

    Uni<Optional<LockRecord>> find(LockName name) {
        return eviction.find(name);
    }

    /** A caller that does not wait, or for which there was no room, was refused because of the queue. */
    void refusedForQueue(LockName name) {
        eviction.watch(name);
    }

    /** Tells the other replicas that the waiters here are still there. */
    Uni<Optional<LockRecord>> keepQueued(LockName name) {
        return eviction.keepQueued(name, presence());
    }

    private Presence presence() {
        return new Presence(replica, clock.instant().plus(limits.waiting().ticketTtl()));
    }

    /** How often the tickets of the waiters here are confirmed. */
    Duration presencePause() {
        return limits.waiting().ticketTtl().dividedBy(PRESENCES_PER_TTL);
    }

    /** How soon that is tried again when it failed. */
    Duration presenceRetryPause() {
        return presencePause().dividedBy(PRESENCE_RETRIES);
    }

    /** Asks the store for the lock if by this record it is the caller's turn, and not otherwise. */
    Uni<At<AcquireOutcome>> ask(AcquireRequest request, Optional<LockRecord> current) {
        var now = clock.instant();
        current.ifPresent(this::witness);
        var sighted = request.lookingAgain(presence())
                .with(new AcquireRequest.Sight(current, witnesses.watch().outlasted(request.name())));
        var decision = limits.rules().acquire(current, sighted, now);
        return decision.write().isEmpty()
                ? Uni.createFrom().item(new At<>(decision.outcome(), now))
                : store.acquire(sighted, now).map(outcome -> new At<>(outcome, now));
    }

    Timers.Timer after(Duration delay, Runnable task) {
        return timers.after(delay, task);
    }

    Timers.Timer after(Instant moment, Runnable task) {
        return timers.after(Duration.between(clock.instant(), moment), task);
    }

    Instant now() {
        return clock.instant();
    }

    /** It need not wait any longer. */
    void settled(Waiter waiter, At<AcquireOutcome> at, LocalLine line) {
        var there = waiter.isToBeAnswered();
        switch (at.answer()) {
            case AcquireOutcome.Granted granted -> {
                handedOver(granted, waiter, at.now());
                end(waiter, line, there ? WaitListener.End.GRANTED : WaitListener.End.ABANDONED);
            }
            case AcquireOutcome.AlreadyYours yours -> end(waiter, line, WaitListener.End.GRANTED);
            case AcquireOutcome.LineFull full -> {
                refusedForQueue(line.name());
                end(waiter, line, WaitListener.End.GAVE_UP);
            }
            default -> end(waiter, line, WaitListener.End.GAVE_UP);
        }
        // What is left of the lease is told as of now, and not as of when the store was asked.
        var heard = there && waiter.tell(new At<>(at.answer(), clock.instant()));
        var leavesSomething = at.answer() instanceof AcquireOutcome.GaveUp
                || waiter.joined && at.answer() instanceof AcquireOutcome.AlreadyYours;
        if (!heard || leavesSomething) {
            // Another request of the same owner got it, and the ticket of this one must not stay behind; or an attempt
            // before the last one was granted it, and no caller was told.
            withdraw(waiter);
        }
    }

    /** It has waited in vain, or there is nobody any more who waits. */
    void left(Waiter waiter, LocalLine line) {
        if (!waiter.isToBeAnswered()) {
            end(waiter, line, WaitListener.End.ABANDONED);
            withdraw(waiter);
        } else if (waiter.dismissal != null) {
            end(waiter, line, WaitListener.End.FAILED);
            withdraw(waiter);
            waiter.tell(waiter.dismissal);
        } else if (waiter.doubt != null) {
            end(waiter, line, WaitListener.End.FAILED);
            withdrawInDoubt(waiter);
            waiter.tell(waiter.doubt);
        } else {
            end(waiter, line, WaitListener.End.GAVE_UP);
            LOG.infof(
                    "Lock not granted in time lock=%s lock_id=%s waited_ms=%d",
                    line.name(),
                    waiter.request().id(),
                    Duration.between(waiter.since(), clock.instant()).toMillis());
            if (clock.instant().isBefore(waiter.until())) {
                // The clock was set back meanwhile: by it the ticket would live on.
                withdraw(waiter);
            }
            waiter.tell(new At<>(new AcquireOutcome.GaveUp(line.name(), line.last()), clock.instant()));
        }
    }

    private void failed(Waiter waiter, Throwable failure, LocalLine line) {
        end(waiter, line, WaitListener.End.FAILED);
        // It may have got a place all the same, for which no caller would ever come.
        withdrawInDoubt(waiter);
        if (waiter.isToBeAnswered()) {
            waiter.tell(failure);
        }
    }

    private void handedOver(AcquireOutcome.Granted granted, Waiter waiter, Instant now) {
        witnesses.watch().forget(granted.lease().name());
        granted.replaced()
                .flatMap(LockRecord::end)
                .filter(end -> end.at().isAfter(waiter.since()))
                .ifPresent(end -> witnesses.listener().handedOver(Duration.between(end.at(), now)));
    }

    private void withdraw(Waiter waiter) {
        withdraw(waiter.request().ref(), waiter.request().attempt(), leaseEnd(waiter));
    }

    private void withdrawInDoubt(Waiter waiter) {
        withdrawInDoubt(waiter.request().ref(), waiter.request().attempt(), leaseEnd(waiter));
    }

    /** When a lease that the waiter may have been granted has expired. */
    private Instant leaseEnd(Waiter waiter) {
        return latest(clock.instant(), waiter.until()).plus(waiter.request().ttl());
    }

    /** The next in the queue looks again. Tried until it is done, or until there is nothing left to take back. */
    Uni<Void> withdraw(LeaseRef request, AttemptId attempt, Instant until) {
        return cleanup().run(request.name(), until, () -> withdrawn(request, attempt));
    }

    /** Once more when the request cannot be on its way to the store any longer. */
    Uni<Void> withdrawInDoubt(LeaseRef request, AttemptId attempt, Instant until) {
        cleanup().onceMoreAfter(LockRules.LATE_MAX, request.name(), until, () -> withdrawn(request, attempt));
        return withdraw(request, attempt, until);
    }

    private Uni<WithdrawOutcome> withdrawn(LeaseRef request, AttemptId attempt) {
        return store.withdraw(request, attempt, clock.instant())
                .invoke(() -> released(request.name(), Optional.empty()));
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** It is told at once that it is sent away; what comes of the attempt under way for it is taken back. */
    void dismiss(Waiter waiter) {
        if (waiter.isToBeAnswered()) {
            waiter.tell(waiter.dismissal);
        }
    }

    private void witness(LockRecord record) {
        if (record.end().isEmpty()) {
            witnesses.watch().saw(record.lease());
        }
    }

    private void end(Waiter waiter, LocalLine line, WaitListener.End how) {
        callers.decrementAndGet();
        if (waiter.joined) {
            witnesses.listener().left(how, Duration.between(waiter.since(), clock.instant()));
        }
        lines.computeIfPresent(line.name(), (name, known) -> known == line && line.isDeserted() ? null : known);
    }
}
