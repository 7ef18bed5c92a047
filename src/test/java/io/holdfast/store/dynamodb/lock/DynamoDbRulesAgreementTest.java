package io.holdfast.store.dynamodb.lock;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Subject;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockRules.Decision;
import io.holdfast.lock.port.Renewal;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import io.smallrye.mutiny.Uni;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The conditions sent to DynamoDB say the same as the rule function: on every kind of record, at every edge of time,
 * store and rule give the same answer and leave the same record. A condition that goes missing shows here.
 */
@Slow
class DynamoDbRulesAgreementTest {
    private static final String TABLE = "agreement-" + UUID.randomUUID();
    private static final List<Optional<Subject>> SUBJECTS =
            List.of(Optional.empty(), Optional.of(new Subject("token:a")), Optional.of(new Subject("token:b")));
    private static final List<Owner> OWNERS = List.of(
            Fixtures.ADA,
            new Owner("ada", SUBJECTS.get(1)),
            new Owner("ada", SUBJECTS.get(2)),
            Fixtures.BOB,
            new Owner("bob", SUBJECTS.get(1)));
    private static final List<LockId> IDS = List.of(LockId.random(), LockId.random());
    private static final List<Duration> TTLS = List.of(Duration.ofSeconds(30), Duration.ofMillis(1500));
    private static final List<Instant> DEADLINES =
            List.of(NOON, NOON.plusSeconds(30), NOON.plusSeconds(31), NOON.plusSeconds(60));
    private static final List<AttemptId> ATTEMPTS = List.of(AttemptId.random(), AttemptId.random());
    private static final List<AttemptId> GRANTED_TO =
            List.of(ATTEMPTS.getFirst(), ATTEMPTS.getLast(), AttemptId.SEVERAL);
    private static final List<ReplicaId> REPLICAS = List.of(ReplicaId.random(), ReplicaId.random());
    private static final Instant PRESENT = NOON.plusSeconds(60);
    private static final int CASES = 300;

    private static DynamoDbAsyncClient client;
    private static DynamoDbStore store;

    private final Random random = new Random(7);
    private final LockName name = Fixtures.aName();

    @BeforeAll
    static void open() {
        client = DynamoDbLocal.shared().client();
        store = new DynamoDbStore(
                client, TABLE, DynamoDbSettings.DEFAULT, RULES, Clock.systemUTC(), StoreTelemetry.NONE);
        await(store.start());
    }

    @AfterAll
    static void close() {
        client.close();
    }

    @Test
    void acquireAgrees() {
        for (var i = 0; i < CASES; i++) {
            var current = given();
            var request = request(current);
            var now = edge();
            if (endsSoonAfter(now, request)) {
                continue;
            }
            agree(current, RULES.acquire(current, request, now), store.locks().acquire(request, now), now);
        }
    }

    @Test
    void withdrawAgrees() {
        for (var i = 0; i < CASES; i++) {
            var ref = new LeaseRef(name, pick(IDS), pick(OWNERS));
            var current = given();
            var attempt = pick(ATTEMPTS);
            var now = edge();
            agree(
                    current,
                    RULES.withdraw(current, ref, attempt, now),
                    store.locks().withdraw(ref, attempt, now),
                    now);
        }
    }

    @Test
    void evictAgrees() {
        for (var i = 0; i < CASES; i++) {
            var current = given();
            var gone = REPLICAS.stream()
                    .filter(replica -> random.nextBoolean())
                    .map(replica -> new Presence(replica, pick(DEADLINES)))
                    .toList();
            var now = edge();
            agree(current, RULES.evict(current, gone), store.locks().evict(name, gone), now);
        }
    }

    @Test
    void renewAgrees() {
        for (var i = 0; i < CASES; i++) {
            var claim = claim();
            var ttl = random.nextBoolean() ? Optional.of(pick(TTLS)) : Optional.<Duration>empty();
            var current = given();
            var now = edge();
            var moved = random.nextBoolean() ? Optional.of(pick(ATTEMPTS)) : Optional.<AttemptId>empty();
            var renewal = new Renewal(ttl, moved);
            agree(
                    current,
                    RULES.renew(current, claim, renewal, now),
                    store.locks().renew(claim, renewal, now),
                    now);
        }
    }

    @Test
    void releaseAgrees() {
        for (var i = 0; i < CASES; i++) {
            var claim = claim();
            var current = given();
            var now = edge();
            agree(current, RULES.release(current, claim, now), store.locks().release(claim, now), now);
        }
    }

    @Test
    void forceReleaseAgrees() {
        for (var i = 0; i < CASES; i++) {
            var current = given();
            var seen = current.map(LockRecord::token).orElse(new FencingToken(5));
            var asked = random.nextBoolean() ? seen : seen.next();
            var delay = random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(10);
            var force = new ForceRelease(name, asked, "because", delay, pick(SUBJECTS));
            var now = edge();
            agree(
                    current,
                    RULES.forceRelease(current, force, now),
                    store.locks().forceRelease(force, now),
                    now);
        }
    }

    /** Real time passes while the store decides: such a wait may be over by then. */
    private static boolean endsSoonAfter(Instant now, AcquireRequest request) {
        return !request.overdueAt(now) && request.overdueAt(now.plusSeconds(1));
    }

    private <O> void agree(Optional<LockRecord> current, Decision<O> expected, Uni<O> asked, Instant now) {
        var outcome = await(asked);

        assertThat(alive(outcome, now)).as("on %s", current).isEqualTo(alive(expected.outcome(), now));
        assertThat(alive(await(store.locks().find(name)), now))
                .as("left behind on %s", current)
                .isEqualTo(alive(expected.write().or(() -> current), now));
    }

    /** Whether those who have given up still stand there makes no difference to anybody. */
    private static Optional<LockRecord> alive(Optional<LockRecord> record, Instant now) {
        return record.map(found -> {
            var alive = found.queue().aliveAt(now);
            // Nor does it matter who vouched for the tickets of an empty queue.
            return found.with(alive.isEmpty() ? WaitQueue.EMPTY : alive);
        });
    }

    private static Object alive(Object outcome, Instant now) {
        return switch (outcome) {
            case AcquireOutcome.Granted o -> new AcquireOutcome.Granted(o.lease(), alive(o.replaced(), now));
            case AcquireOutcome.Queued o -> new AcquireOutcome.Queued(alive(o.record(), now), o.place());
            case AcquireOutcome.ReservedForQueue o ->
                new AcquireOutcome.ReservedForQueue(alive(o.record(), now), o.waiting());
            case AcquireOutcome.ClosedUntil o -> new AcquireOutcome.ClosedUntil(alive(o.record(), now), o.until());
            case AcquireOutcome.GaveUp o -> new AcquireOutcome.GaveUp(o.name(), alive(o.record(), now));
            default -> outcome;
        };
    }

    private static LockRecord alive(LockRecord record, Instant now) {
        return alive(Optional.of(record), now).orElseThrow();
    }

    private AcquireRequest.QueueEntry visit() {
        return new AcquireRequest.QueueEntry(
                NOON, pick(DEADLINES), random.nextBoolean(), new Presence(pick(REPLICAS), PRESENT));
    }

    private AcquireRequest request(Optional<LockRecord> current) {
        var ref = new LeaseRef(name, pick(IDS), pick(OWNERS));
        var terms = new AcquireRequest.Terms(
                pick(TTLS),
                random.nextBoolean() ? Optional.of(Duration.ofHours(1)) : Optional.empty(),
                pick(List.of(AcquireRequest.Recipient.values())));
        var watched = current.map(LockRecord::lease).filter(lease -> random.nextInt(3) == 0);
        var seen = current.filter(record -> random.nextBoolean());
        return new AcquireRequest(
                ref,
                pick(ATTEMPTS),
                terms,
                Labels.NONE,
                random.nextBoolean() ? Optional.of(visit()) : Optional.empty(),
                new AcquireRequest.Observation(seen, watched));
    }

    /** Puts a random record, or none, in place. */
    private Optional<LockRecord> given() {
        var current = randomRecord();
        if (current.isPresent()) {
            var item = item(current.get());
            client.putItem(put -> put.tableName(TABLE).item(item)).join();
        } else {
            client.deleteItem(delete -> delete.tableName(TABLE).key(LockItem.key(name)))
                    .join();
        }
        return current;
    }

    private Optional<LockRecord> randomRecord() {
        return randomLease()
                .map(record -> new LockRecord(
                        record.lease(),
                        record.token(),
                        record.end(),
                        randomLine(),
                        new LockRecord.Attempts(pick(GRANTED_TO), pick(ATTEMPTS))));
    }

    private WaitQueue randomLine() {
        var tickets = new ArrayList<Ticket>();
        for (var id : IDS) {
            for (var owner : OWNERS) {
                if (random.nextInt(6) == 0) {
                    tickets.add(new Ticket(id, owner, pick(ATTEMPTS), pick(REPLICAS), NOON, pick(DEADLINES)));
                }
            }
        }
        Collections.shuffle(tickets, random);
        return new WaitQueue(tickets, randomPresence());
    }

    private Map<ReplicaId, Instant> randomPresence() {
        var presence = new HashMap<ReplicaId, Instant>();
        REPLICAS.stream()
                .filter(replica -> random.nextBoolean())
                .forEach(replica -> presence.put(replica, pick(DEADLINES)));
        return presence;
    }

    private LeaseClaim claim() {
        var token = random.nextBoolean() ? Optional.<FencingToken>empty() : Optional.of(randomToken());
        var attempt = random.nextBoolean() ? Optional.<AttemptId>empty() : Optional.of(pick(ATTEMPTS));
        return new LeaseClaim(new LeaseRef(name, pick(IDS), pick(OWNERS)), token, attempt);
    }

    private FencingToken randomToken() {
        return new FencingToken(1000 + random.nextInt(2));
    }

    private Optional<LockRecord> randomLease() {
        var term = new Lease.Term(NOON, NOON.plusSeconds(30), Duration.ofSeconds(30), random.nextInt(3));
        var lease = new Lease(name, pick(IDS), pick(OWNERS), randomToken(), term, Labels.NONE);
        var reason = Optional.of("an earlier reason");
        return switch (random.nextInt(6)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(ended(lease, false, new LockRecord.End(NOON, Optional.empty(), Optional.empty())));
            case 2 -> Optional.of(ended(lease, true, new LockRecord.End(NOON, Optional.empty(), reason)));
            case 3 ->
                Optional.of(ended(lease, true, new LockRecord.End(NOON, Optional.of(NOON.plusSeconds(30)), reason)));
            default -> Optional.of(LockRecord.held(lease));
        };
    }

    private static LockRecord ended(Lease lease, boolean forced, LockRecord.End end) {
        return new LockRecord(lease, forced ? lease.token().next() : lease.token(), Optional.of(end));
    }

    /** Before, at and behind every moment at which a rule changes its mind. */
    private Instant edge() {
        var moments = List.of(
                NOON.minus(LockRules.LATE_MAX),
                NOON.minus(SKEW),
                NOON,
                NOON.plusSeconds(30),
                NOON.plusSeconds(30).plus(SKEW));
        return pick(moments).plusMillis(random.nextInt(3) - 1L);
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static Map<String, AttributeValue> item(LockRecord record) {
        var lease = record.lease();
        var item = new HashMap<>(LockItem.key(record.name()));
        item.put("lock_id", Attributes.text(lease.id().value()));
        item.put("owner_id", Attributes.text(lease.owner().value()));
        lease.owner().subject().ifPresent(subject -> item.put("subject", Attributes.text(subject.value())));
        item.put("fencing_token", Attributes.number(record.token().value()));
        item.put("created_at", Attributes.time(lease.term().acquiredAt()));
        item.put("renewed_at", Attributes.time(lease.term().grantedAt()));
        item.put("expires_at", Attributes.time(lease.expiresAt()));
        item.put("ttl_ms", Attributes.number(lease.term().ttl().toMillis()));
        item.put("ttl_seconds", Attributes.number(lease.term().ttl().toSeconds()));
        item.put("renewals", Attributes.number(lease.term().renewals()));
        item.put("lock_type", Attributes.text(lease.labels().type().text()));
        item.put("metadata", Attributes.map(lease.labels().metadata()));
        item.put("status", Attributes.text(status(record)));
        if (!record.queue().isEmpty()) {
            item.put(LockItem.WAITERS, LockItem.queue(record.queue()));
        }
        item.put(
                LockItem.PRESENCE,
                AttributeValue.fromM(record.queue().presence().entrySet().stream()
                        .collect(Collectors.toMap(
                                entry -> entry.getKey().value(), entry -> Attributes.time(entry.getValue())))));
        item.put(LockItem.ATTEMPT, Attributes.text(record.attempts().current().value()));
        item.put(
                LockItem.GRANTED_TO,
                Attributes.text(record.attempts().grantedTo().value()));
        record.end().ifPresent(end -> {
            item.put("released_at", Attributes.time(end.at()));
            end.closedUntil().ifPresent(until -> item.put("closed_until", Attributes.time(until)));
            end.forcedBecause().ifPresent(why -> item.put("release_reason", Attributes.text(why)));
        });
        return item;
    }

    private static String status(LockRecord record) {
        if (record.end().isEmpty()) {
            return LockItem.ACTIVE;
        }
        return record.end().get().closedUntil().isPresent() ? LockItem.RELEASING : LockItem.RELEASED;
    }
}
