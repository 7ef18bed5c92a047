package io.holdfast.lock.queue;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.WithdrawOutcome;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Asks the store on behalf of waiters: for a ticket, for the lock when it is their turn, and to withdraw. Decides nothing
 * about who waits or who is told.
 */
@Singleton
public class TicketRequests {
    private static final int CONFIRMATIONS_PER_TTL = 3;
    private static final int CONFIRMATION_RETRIES = 5;

    private final LockStore store;
    private final LockRules rules;
    private final WaitConfig config;
    private final InstantSource clock;
    private final LeaseObserver observer;
    private final TicketEviction eviction;

    public TicketRequests(
            LockStore store,
            LockRules rules,
            WaitConfig config,
            InstantSource clock,
            LeaseObserver observer,
            TicketEviction eviction) {
        this.store = store;
        this.rules = rules;
        this.config = config;
        this.clock = clock;
        this.observer = observer;
        this.eviction = eviction;
    }

    /** The request as it arrives now, to wait for at most {@code wait}. */
    AcquireRequest arriving(AcquireRequest request, Duration wait) {
        var now = clock.instant();
        return request.arriving(now, now.plus(wait), presence());
    }

    /** Asks for the lock, or else for a ticket. */
    Uni<AcquireOutcome> arrive(AcquireRequest request) {
        var observation = new AcquireRequest.Observation(Optional.empty(), observer.unchangedForTtl(request.name()));
        return store.acquire(
                request.with(observation), request.queueEntry().orElseThrow().since());
    }

    /** Asks for the lock if, by this record, it is the request's turn; otherwise answers without the store. */
    Uni<Timestamped<AcquireOutcome>> ask(AcquireRequest request, Optional<LockRecord> current) {
        var now = clock.instant();
        current.ifPresent(this::observe);
        var sighted = request.askingAgain(presence())
                .with(new AcquireRequest.Observation(current, observer.unchangedForTtl(request.name())));
        var decision = rules.acquire(current, sighted, now);
        return decision.write().isEmpty()
                ? Uni.createFrom().item(new Timestamped<>(decision.outcome(), now))
                : store.acquire(sighted, now).map(outcome -> new Timestamped<>(outcome, now));
    }

    Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt) {
        return store.withdraw(request, attempt, clock.instant());
    }

    /** Reads the record, without the tickets of replicas that are gone. */
    Uni<Optional<LockRecord>> find(LockName name) {
        return eviction.find(name);
    }

    /** Tells the other replicas that the waiters here are still there. */
    Uni<Optional<LockRecord>> confirmTickets(LockName name) {
        return eviction.confirmTickets(name, presence());
    }

    /** How often tickets are confirmed. */
    Duration confirmEvery() {
        return config.ticketTtl().dividedBy(CONFIRMATIONS_PER_TTL);
    }

    /** How soon a confirmation that failed is tried again. */
    Duration confirmAgainAfter() {
        return confirmEvery().dividedBy(CONFIRMATION_RETRIES);
    }

    /** A caller was refused because of the queue: tickets of replicas that are gone must not keep it full. */
    void refusedForQueue(LockName name) {
        eviction.observe(name);
    }

    /** The record was read just now. */
    void observe(LockRecord record) {
        if (record.end().isEmpty()) {
            observer.observed(record.lease());
        }
    }

    /** The lock was granted: its earlier lease is of no interest any more. */
    void granted(LockName name) {
        observer.forget(name);
    }

    PollBackoff backoff() {
        return new PollBackoff(config, rules.maxClockSkew());
    }

    Instant now() {
        return clock.instant();
    }

    private Presence presence() {
        return new Presence(eviction.replica(), clock.instant().plus(config.ticketTtl()));
    }
}
