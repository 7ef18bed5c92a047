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
 * The requests to the store for waiters: for a ticket, for the lock, and to withdraw. {@link LocalWaitQueue} decides
 * when they are made.
 */
@Singleton
public class TicketRequests {
    private static final int CONFIRMATIONS_PER_TTL = 3;

    /** Retries of a failed confirmation until the next regular one. */
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

    /** The request with its arrival time and deadline. */
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

    /**
     * Asks the store only if the rules decide by this record to write: to grant the lock, or to queue a waiter again
     * whose ticket is lost. Otherwise answers with the decision of the rules.
     */
    Uni<Timestamped<AcquireOutcome>> ask(AcquireRequest request, Optional<LockRecord> current) {
        var now = clock.instant();
        current.ifPresent(this::observe);
        var observed = request.askingAgain(presence())
                .with(new AcquireRequest.Observation(current, observer.unchangedForTtl(request.name())));
        var decision = rules.acquire(current, observed, now);
        return decision.write().isEmpty()
                ? Uni.createFrom().item(new Timestamped<>(decision.outcome(), now))
                : store.acquire(observed, now).map(outcome -> new Timestamped<>(outcome, now));
    }

    Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt) {
        return store.withdraw(request, attempt, clock.instant());
    }

    /** Reads the record, without the tickets of replicas that are gone. */
    Uni<Optional<LockRecord>> find(LockName name) {
        return eviction.find(name);
    }

    /** Confirms to the other replicas that this replica and its waiters are still there. */
    Uni<Optional<LockRecord>> confirmTickets(LockName name) {
        return eviction.confirmTickets(name, presence());
    }

    Duration confirmEvery() {
        return config.ticketTtl().dividedBy(CONFIRMATIONS_PER_TTL);
    }

    Duration confirmRetryAfter() {
        return confirmEvery().dividedBy(CONFIRMATION_RETRIES);
    }

    /** A caller was refused because of the queue. Starts to look for tickets of replicas that are gone. */
    void refusedForQueue(LockName name) {
        eviction.observe(name);
    }

    /** The record was just read. */
    void observe(LockRecord record) {
        if (record.end().isEmpty()) {
            observer.observed(record.lease());
        }
    }

    /** The lock was granted, so its earlier lease is no longer observed. */
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
