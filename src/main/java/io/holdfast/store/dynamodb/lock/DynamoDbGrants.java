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
 * Grants locks and keeps their queues. Each step is one write for what the rules decide on the record as it was seen,
 * under a condition that holds it to that; when it is refused, what stood in the way is seen instead.
 */
final class DynamoDbGrants {
    /** So often may others come first. A request that waits gives up by its own deadline before. */
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

    /** @param askedNanos when it was asked, by the clock that only goes forward */
    private record Asking(AcquireRequest request, LockRules rules, Instant asked, long askedNanos) {
        Instant nowAt(long nanos) {
            return asked.plus(Duration.ofNanos(nanos - askedNanos).truncatedTo(ChronoUnit.MILLIS));
        }

        /** By the time at which it was asked, as long as that is as good as now by the clocks' allowed skew. */
        Instant judgedAt(Instant now) {
            return Duration.between(asked, now).compareTo(rules.maxClockSkew().dividedBy(2)) > 0 ? now : asked;
        }
    }

    /**
     * @param current the record as it was last seen; none yet is taken for a free lock
     * @param races how often another request came first
     * @param contradictions how often DynamoDB refused a write that the rules allow on the very record it returned
     */
    private record Seen(Optional<LockRecord> current, int races, int contradictions) {
        static Seen first(Optional<LockRecord> current) {
            return new Seen(current, 0, 0);
        }

        Seen then(Optional<LockRecord> found) {
            var moved = found.isPresent() && !found.equals(current);
            return new Seen(found, races + (moved ? 1 : 0), contradictions + (moved ? 0 : 1));
        }

        /** A refusal that the record does not explain: an item of the version before has no map of presences. */
        boolean mapMayBeMissing() {
            return contradictions % 2 == 1;
        }

        Seen after(Optional<LockRecord> ownWrite) {
            return new Seen(ownWrite, races, contradictions);
        }
    }

    /** Nothing seen so far is the common case: then it is one write, if the lock is free. */
    Uni<AcquireOutcome> acquire(AcquireRequest request, LockRules rules, Instant now) {
        var asking = new Asking(request, rules, now, calls.nanos());
        return decide(asking, Seen.first(request.observation().seen()), now);
    }

    /** Whoever has waited long enough by now is granted nothing, however slow the store was. */
    private Uni<AcquireOutcome> decideAgain(Asking asking, Seen seen) {
        var pause =
                seen.races() > 1 ? calls.pause(seen.races()) : Uni.createFrom().voidItem();
        return pause.chain(() -> {
            var now = asking.nowAt(calls.nanos());
            // Overdue, it is granted nothing; the rules still know the lease that it or its owner has.
            return decide(asking, seen, asking.request().overdueAt(now) ? now : asking.judgedAt(now));
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
                            "The clock of this machine is off, and nobody could tell how long a caller waits here."));
        }
        if (seen.contradictions() > contradictionsMax) {
            return Uni.createFrom().failure(contradicted("acquire"));
        }
        if (seen.races() > RACES_MAX) {
            return Uni.createFrom().failure(outpaced("acquire", seen.races()));
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
            case AcquireOutcome.AlreadyYours yours ->
                leaseWrites.confirm(current.orElseThrow(), decision.write().orElseThrow());
            default -> throw new IllegalStateException("Nothing to write for " + decision.outcome());
        };
    }

    /** A request that joins the queue of a lock that was released meanwhile may be its head: then nobody else would notice. */
    private Uni<AcquireOutcome> done(
            Asking asking,
            LockRules.Decision<AcquireOutcome> decision,
            Optional<LockRecord> stored,
            Seen seen,
            Instant now) {
        return switch (decision.outcome()) {
            case AcquireOutcome.Granted granted ->
                // Answered too late, it is not told to a caller whose wait is over, and the caller of this takes it
                // back.
                asking.request().overdueAt(asking.nowAt(calls.nanos()))
                        ? Uni.createFrom()
                                .item(new AcquireOutcome.GaveUp(asking.request().name(), Optional.empty()))
                        : Uni.createFrom().item(granted(asking.request(), stored, now));
            case AcquireOutcome.Queued queued -> decideAgain(asking, seen.after(stored));
            default -> Uni.createFrom().item(decision.outcome());
        };
    }

    /** The write returned what it replaced, so the token it made is known without another read. */
    private static AcquireOutcome granted(AcquireRequest request, Optional<LockRecord> replaced, Instant now) {
        var token = replaced.map(old -> old.token().next()).orElseGet(() -> FencingToken.firstAt(now));
        return new AcquireOutcome.Granted(request.leaseAt(now, token), replaced);
    }

    private record Withdrawal(LeaseRef ref, AttemptId attempt, LockRules rules, Instant now) {}

    /** @param seen the record as it was a moment ago */
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
            return Uni.createFrom().failure(outpaced("withdraw", seen.races()));
        }
        var write = decision.outcome() instanceof WithdrawOutcome.GaveBack
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

    /** Removes the tickets of replicas that are gone, as many as one write can at a time. */
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
            return Uni.createFrom().failure(outpaced("evict", seen.races()));
        }
        var write = queueWrites.evict(seen.current().orElseThrow(), gone);
        return calls.call("evict", () -> client.updateItem(write)).chain(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done -> evict(gone, seen.after(recordIn(done)), rules);
            case Result.Refused<UpdateItemResponse> refused -> evict(gone, seen.then(recordIn(refused)), rules);
        });
    }

    /** Confirms a replica's tickets. Refused is an answer: then it has none in this queue. */
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
     * DynamoDB refused a write, and by the record that came back the rules would have allowed it, again and again. That
     * record is not the one that was in the way (a service that only resembles DynamoDB may send none at all): nothing
     * may be concluded from it, least of all success.
     */
    static StoreUnavailableException contradicted(String operation) {
        return new StoreUnavailableException(
                "DynamoDB refused to " + operation + " and did not return the item in the way.");
    }

    private static StoreUnavailableException outpaced(String operation, int races) {
        return new StoreUnavailableException("The lock changed " + races + " times while this request tried to "
                + operation + ", each time before it; ask again.");
    }
}
