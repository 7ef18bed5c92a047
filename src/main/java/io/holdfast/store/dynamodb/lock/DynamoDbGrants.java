package io.holdfast.store.dynamodb.lock;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.WithdrawOutcome;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Grants locks and changes their queues. The rules decide on the record as it was last read, and one conditional write
 * carries the decision out. If the condition is refused, DynamoDB returns the current record, and the rules decide
 * again.
 */
final class DynamoDbGrants {
    /**
     * How often other requests may change the record first. A request with {@code wait} ends earlier by its deadline.
     */
    private static final int RACES_MAX = 200;

    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final GrantWrites grantWrites;
    private final LeaseWrites leaseWrites;
    private final QueueWrites queueWrites;
    private final int contradictionsMax;

    DynamoDbGrants(
            DynamoDbAsyncClient client,
            DynamoDbCalls calls,
            GrantWrites grantWrites,
            LeaseWrites leaseWrites,
            QueueWrites queueWrites,
            int contradictionsMax) {
        this.client = client;
        this.calls = calls;
        this.grantWrites = grantWrites;
        this.leaseWrites = leaseWrites;
        this.queueWrites = queueWrites;
        this.contradictionsMax = contradictionsMax;
    }

    /** @param askedNanos the monotonic clock at the request */
    private record Asking(AcquireRequest request, LockRules rules, Instant asked, long askedNanos) {
        Instant nowAt(long nanos) {
            return asked.plus(Duration.ofNanos(nanos - askedNanos).truncatedTo(ChronoUnit.MILLIS));
        }

        /** The time of the request, unless it is older than half of the allowed skew. */
        Instant decisionTime(Instant now) {
            return Duration.between(asked, now).compareTo(rules.maxClockSkew().dividedBy(2)) > 0 ? now : asked;
        }
    }

    /**
     * @param current the record as it was last read; without one, the lock is taken to be free
     * @param races how often another request changed the record first
     * @param contradictions how often DynamoDB refused a write that the rules allow on the record that it returned
     */
    private record Seen(Optional<LockRecord> current, int races, int contradictions) {
        static Seen first(Optional<LockRecord> current) {
            return new Seen(current, 0, 0);
        }

        Seen then(Optional<LockRecord> found) {
            var moved = found.isPresent() && !found.equals(current);
            return new Seen(found, races + (moved ? 1 : 0), contradictions + (moved ? 0 : 1));
        }

        /** The record does not explain the refusal. Items of earlier versions have no map of presences. */
        boolean mapMayBeMissing() {
            return contradictions % 2 == 1;
        }

        Seen after(Optional<LockRecord> ownWrite) {
            return new Seen(ownWrite, races, contradictions);
        }
    }

    /** Usually no record was read before. Then a free lock costs one write. */
    Uni<AcquireOutcome> acquire(AcquireRequest request, LockRules rules, Instant now) {
        var asking = new Asking(request, rules, now, calls.nanos());
        return decide(asking, Seen.first(request.observation().seen()), now);
    }

    /** A request whose deadline has passed in the meantime is not granted the lock. */
    private Uni<AcquireOutcome> decideAgain(Asking asking, Seen seen) {
        var pause =
                seen.races() > 1 ? calls.pause(seen.races()) : Uni.createFrom().voidItem();
        return pause.chain(() -> {
            var now = asking.nowAt(calls.nanos());
            // The rules grant nothing to an overdue request, but return a lease that its owner already has.
            return decide(asking, seen, asking.request().overdueAt(now) ? now : asking.decisionTime(now));
        });
    }

    private Uni<AcquireOutcome> decide(Asking asking, Seen seen, Instant now) {
        var decision = asking.rules().acquire(seen.current(), asking.request(), now);
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        if (decision.outcome() instanceof AcquireOutcome.Queued
                && !asking.rules().takeovers()) {
            return Uni.createFrom()
                    .failure(new StoreUnavailableException(
                            "The clock of this machine is off, so this replica cannot time a wait. Ask again."));
        }
        if (seen.contradictions() > contradictionsMax) {
            return Uni.createFrom().failure(contradicted("acquire"));
        }
        if (seen.races() > RACES_MAX) {
            return Uni.createFrom().failure(tooManyRaces("acquire", seen.races()));
        }
        return calls.call("acquire", () -> client.updateItem(writeFor(asking, decision, seen, now)))
                .chain(result -> switch (result) {
                    case Result.Done<UpdateItemResponse> done -> done(asking, decision, recordIn(done), seen, now);
                    case Result.Refused<UpdateItemResponse> refused ->
                        decideAgain(asking, seen.then(recordIn(refused)));
                });
    }

    private UpdateItemRequest writeFor(
            Asking asking, LockRules.Decision<AcquireOutcome> decision, Seen seen, Instant now) {
        var current = seen.current();
        return switch (decision.outcome()) {
            case AcquireOutcome.Granted granted ->
                grantWrites.acquire(asking.request(), current, asking.rules().takeovers(), now);
            case AcquireOutcome.Queued queued ->
                queueWrites.join(
                        asking.request(), current.orElseThrow(), queued.record().queue(), seen.mapMayBeMissing(), now);
            case AcquireOutcome.AlreadyHeld yours ->
                leaseWrites.confirm(current.orElseThrow(), decision.write().orElseThrow());
            default -> throw new IllegalStateException("Nothing to write for " + decision.outcome());
        };
    }

    /** After joining, it decides again: if the lock was released in the meantime, this request may be next. */
    private Uni<AcquireOutcome> done(
            Asking asking,
            LockRules.Decision<AcquireOutcome> decision,
            Optional<LockRecord> stored,
            Seen seen,
            Instant now) {
        return switch (decision.outcome()) {
            case AcquireOutcome.Granted granted ->
                // The wait is over, so the client gets no lease. The caller of this method withdraws it.
                asking.request().overdueAt(asking.nowAt(calls.nanos()))
                        ? Uni.createFrom()
                                .item(new AcquireOutcome.GaveUp(asking.request().name(), Optional.empty()))
                        : Uni.createFrom().item(granted(asking.request(), stored, now));
            case AcquireOutcome.Queued queued -> decideAgain(asking, seen.after(stored));
            default -> Uni.createFrom().item(decision.outcome());
        };
    }

    /** The write returned the record that it replaced, so the new token is known without another read. */
    private static AcquireOutcome granted(AcquireRequest request, Optional<LockRecord> replaced, Instant now) {
        var token = replaced.map(old -> old.token().next()).orElseGet(() -> FencingToken.firstAt(now));
        return new AcquireOutcome.Granted(request.leaseAt(now, token), replaced);
    }

    private record Withdrawal(LeaseRef ref, AttemptId attempt, LockRules rules, Instant now) {}

    /** @param seen the record as it was just read */
    Uni<WithdrawOutcome> withdraw(
            LeaseRef ref, AttemptId attempt, Optional<LockRecord> seen, LockRules rules, Instant now) {
        return withdraw(new Withdrawal(ref, attempt, rules, now), Seen.first(seen));
    }

    private Uni<WithdrawOutcome> withdraw(Withdrawal withdrawal, Seen seen) {
        var decision =
                withdrawal.rules().withdraw(seen.current(), withdrawal.ref(), withdrawal.attempt(), withdrawal.now());
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        if (seen.contradictions() > contradictionsMax) {
            return Uni.createFrom().failure(contradicted("withdraw"));
        }
        if (seen.races() > RACES_MAX) {
            return Uni.createFrom().failure(tooManyRaces("withdraw", seen.races()));
        }
        var write = decision.outcome() instanceof WithdrawOutcome.Released
                ? leaseWrites.releaseIfUnchanged(
                        withdrawal.ref(), withdrawal.attempt(), seen.current(), withdrawal.now())
                : queueWrites.leave(withdrawal.ref(), placeOf(withdrawal, seen.current()), withdrawal.attempt());
        return calls.call("withdraw", () -> client.updateItem(write)).chain(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done -> Uni.createFrom().item(decision.outcome());
            case Result.Refused<UpdateItemResponse> refused -> withdraw(withdrawal, seen.then(recordIn(refused)));
        });
    }

    private static int placeOf(Withdrawal withdrawal, Optional<LockRecord> seen) {
        return seen.orElseThrow()
                .queue()
                .placeOf(withdrawal.ref(), withdrawal.attempt())
                .orElseThrow();
    }

    /** Removes the tickets of dead replicas, by as many writes as needed. */
    Uni<Optional<LockRecord>> evict(List<Presence> gone, Optional<LockRecord> seen, LockRules rules) {
        return evict(gone, Seen.first(seen), rules);
    }

    private Uni<Optional<LockRecord>> evict(List<Presence> gone, Seen seen, LockRules rules) {
        if (rules.evict(seen.current(), gone).write().isEmpty()) {
            return Uni.createFrom().item(seen.current());
        }
        if (seen.contradictions() > contradictionsMax) {
            return Uni.createFrom().failure(contradicted("evict"));
        }
        if (seen.races() > RACES_MAX) {
            return Uni.createFrom().failure(tooManyRaces("evict", seen.races()));
        }
        var write = queueWrites.evict(seen.current().orElseThrow(), gone);
        return calls.call("evict", () -> client.updateItem(write)).chain(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done -> evict(gone, seen.after(recordIn(done)), rules);
            case Result.Refused<UpdateItemResponse> refused -> evict(gone, seen.then(recordIn(refused)), rules);
        });
    }

    /** Confirms the tickets of a replica. If refused, the replica has none in this queue. */
    Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return calls.call("confirm_tickets", () -> client.updateItem(queueWrites.confirmTickets(name, presence)))
                .map(result -> switch (result) {
                    case Result.Done<UpdateItemResponse> done -> recordIn(done);
                    case Result.Refused<UpdateItemResponse> refused -> recordIn(refused);
                });
    }

    static Optional<LockRecord> recordIn(Result.Done<UpdateItemResponse> done) {
        return LockItem.readAny(done.response().attributes());
    }

    static Optional<LockRecord> recordIn(Result.Refused<UpdateItemResponse> refused) {
        return LockItem.readAny(refused.condition().item());
    }

    /**
     * DynamoDB repeatedly refused a write that the rules allow on the record that it returned. That record is not the
     * one that caused the refusal, for example because an emulator of DynamoDB returns none. So the result is not
     * known.
     */
    static StoreUnavailableException contradicted(String operation) {
        return new StoreUnavailableException(
                "DynamoDB refused to " + operation + " and did not return the item that caused it.");
    }

    private static StoreUnavailableException tooManyRaces(String operation, int races) {
        return new StoreUnavailableException(
                "The lock changed " + races + " times while this request tried to " + operation + ". Ask again.");
    }
}
