package io.holdfast.store.dynamodb.lock;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.WithdrawOutcome;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import io.holdfast.store.dynamodb.call.ClockGuard;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import io.smallrye.mutiny.Uni;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What lost answers, races at the wire and a wrong clock do to those in line. */
@Slow
class DynamoDbQueueFaultsTest {
    private static final Instant PATIENT = NOON.plusSeconds(20);
    private static final Owner CY = new Owner("cy");
    private static final int MANY = 24;

    private final FaultProxy proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
    private final DynamoDbAsyncClient client = DynamoDbLocal.shared().client(proxy.endpoint());
    private final DynamoDbAsyncClient direct = DynamoDbLocal.shared().client();
    private final String table = "line-faults-" + UUID.randomUUID();
    private final DynamoDbStore store = storeOn(client);
    private final LockStore locks = store.locks();
    /** Another replica, past the proxy. */
    private final LockStore elsewhere = storeOn(direct).locks();

    @BeforeEach
    void start() {
        await(store.start());
        proxy.resetCounts();
    }

    @AfterEach
    void close() {
        client.close();
        direct.close();
        proxy.close();
    }

    @Test
    void aPlaceInLineIsOneRefusedWriteAndOneMoreAndATurnIsOne() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        proxy.resetCounts();

        await(locks.acquire(bob, NOON));
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 2));
        await(locks.release(held.ref(), NOON));
        var seen = await(locks.find(held.name()));
        proxy.resetCounts();
        await(locks.acquire(bob.with(new AcquireRequest.Observation(seen, Optional.empty())), NOON));

        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 1));
    }

    @Test
    void aPlaceWhoseAnswerWasLostIsNotTakenTwice() {
        var held = held();
        // The first one is refused, the second one joins.
        proxy.afterNext("UpdateItem", () -> proxy.next("UpdateItem", Fault.LOSE_ANSWER));

        var outcome = await(locks.acquire(waits(BOB, held.name(), PATIENT), NOON));

        assertThat(outcome).isInstanceOf(AcquireOutcome.Queued.class);
        assertThat(record(held.name()).queue().size()).isOne();
    }

    @Test
    void aTurnWhoseAnswerWasLostIsRecognisedAsGrantedAndCanStillBeGivenBack() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        await(locks.acquire(bob, NOON));
        await(locks.release(held.ref(), NOON));
        var seen = record(held.name());
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);

        var outcome = await(
                locks.acquire(bob.with(new AcquireRequest.Observation(Optional.of(seen), Optional.empty())), NOON));

        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
        assertThat(await(locks.withdraw(bob.ref(), bob.attempt(), NOON))).isInstanceOf(WithdrawOutcome.Released.class);
    }

    /**
     * A request that nobody waits for any more is granted the lock elsewhere, while the same one asked again is in doubt
     * about its own first attempt. What is told the second one must not be taken back for the first.
     */
    @Test
    void aGrantToAnotherAttemptIsTakenOverBeforeItIsTold() {
        var gone = waits(BOB, aName(), PATIENT);
        var again = AcquireRequest.once(gone.ref(), gone.ttl(), gone.labels());
        proxy.next("UpdateItem", Fault.ERROR_500_BEFORE);
        await(elsewhere.acquire(gone, NOON));

        var outcome = await(locks.acquire(again, NOON));

        assertThat(outcome).isInstanceOf(AcquireOutcome.AlreadyHeld.class);
        assertThat(await(elsewhere.withdraw(gone.ref(), gone.attempt(), NOON)))
                .isEqualTo(new WithdrawOutcome.NotThere());
    }

    /** The lock is given back between the refusal and the joining: nobody else would ever wake the one who joins. */
    @Test
    void whoJoinsTheLineOfALockThatWasJustReleasedIsGrantedIt() {
        var held = held();
        proxy.afterNext("UpdateItem", () -> await(elsewhere.release(held.ref(), NOON)));

        var outcome = await(locks.acquire(waits(BOB, held.name(), PATIENT), NOON));

        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
        assertThat(record(held.name()).queue().isEmpty()).isTrue();
    }

    /** Somebody in front leaves between the look and the leaving: the place that was seen is another's by then. */
    @Test
    void whoLeavesTakesNobodyElsesTicketAlong() {
        var held = held();
        var cy = waits(CY, held.name(), PATIENT);
        var bob = waits(BOB, held.name(), PATIENT);
        var dora = waits(new Owner("dora"), held.name(), PATIENT);
        for (var one : new AcquireRequest[] {cy, bob, dora}) {
            await(locks.acquire(one, NOON));
        }
        proxy.beforeNext("UpdateItem", () -> await(elsewhere.withdraw(cy.ref(), cy.attempt(), NOON)));

        await(locks.withdraw(bob.ref(), bob.attempt(), NOON));

        assertThat(record(held.name()).queue().tickets())
                .singleElement()
                .satisfies(ticket -> assertThat(ticket.owner().value()).isEqualTo("dora"));
    }

    /** Their connections are cut together: each that goes moves all those behind it. */
    @Test
    void aWholeLineMayLeaveAtOnce() {
        var longer = new LockRules(RULES.maxClockSkew(), RULES.tombstoneRetention(), MANY, true);
        var roomy = storeOn(client, longer).locks();
        var held = held();
        var waiting = IntStream.range(0, MANY)
                .mapToObj(i -> waits(new Owner("w" + i), held.name(), PATIENT))
                .toList();
        waiting.forEach(one -> await(roomy.acquire(one, NOON)));
        assertThat(record(held.name()).queue().size()).isEqualTo(MANY);

        await(Uni.join()
                .all(waiting.stream()
                        .map(one -> roomy.withdraw(one.ref(), one.attempt(), NOON))
                        .toList())
                .andFailFast());

        assertThat(record(held.name()).queue().isEmpty()).isTrue();
    }

    /** On a busy lock tickets come and go all the time, and many of those in the record are dead. */
    @Test
    void whoJoinsAQueueDoesNotDependOnTheRestOfIt() {
        var longer = new LockRules(RULES.maxClockSkew(), RULES.tombstoneRetention(), MANY, true);
        var roomy = storeOn(client, longer).locks();
        var others = storeOn(direct, longer).locks();
        var held = held();
        await(others.acquire(waits(new Owner("dead"), held.name(), NOON.plusSeconds(1)), NOON));
        for (var i = 0; i < 10; i++) {
            var other = waits(new Owner("w" + i), held.name(), PATIENT);
            proxy.beforeNext("UpdateItem", () -> await(others.acquire(other, NOON)));
        }
        proxy.resetCounts();

        var outcome = await(roomy.acquire(waits(BOB, held.name(), PATIENT), NOON.plusSeconds(2)));

        assertThat(outcome).isInstanceOf(AcquireOutcome.Queued.class);
        assertThat(proxy.count("UpdateItem")).isEqualTo(2);
    }

    /** Each time it is about to be granted, another one in front leaves, and its place is another one. */
    @Test
    void losingARaceForLongIsNoOutage() {
        var longer = new LockRules(RULES.maxClockSkew(), RULES.tombstoneRetention(), MANY, true);
        var roomy = storeOn(client, longer).locks();
        var others = storeOn(direct, longer).locks();
        var held = held();
        var dead = IntStream.range(0, 12)
                .mapToObj(i -> waits(new Owner("w" + i), held.name(), NOON.plusSeconds(1)))
                .toList();
        dead.forEach(one -> await(others.acquire(one, NOON)));
        var bob = waits(BOB, held.name(), PATIENT);
        await(others.acquire(bob, NOON));
        await(others.release(held.ref(), NOON));
        proxy.beforeNext("UpdateItem", () -> {});
        dead.forEach(one -> proxy.beforeNext(
                "UpdateItem", () -> await(others.withdraw(one.ref(), one.attempt(), NOON.plusSeconds(2)))));

        var outcome = await(roomy.acquire(bob, NOON.plusSeconds(2)));

        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
    }

    /** More tickets than one write can remove. */
    @Test
    void allTicketsOfAReplicaThatIsGoneAreRemovedHoweverManyThereAre() {
        var longer = new LockRules(RULES.maxClockSkew(), RULES.tombstoneRetention(), 120, true);
        var roomy = storeOn(direct, longer).locks();
        var held = held();
        for (var i = 0; i < 120; i++) {
            var replica = i % 10 == 0 ? "r2" : "r1";
            var one = waits(new Owner("w" + i), held.name(), PATIENT);
            await(roomy.acquire(Fixtures.atReplica(replica, one, PATIENT), NOON));
        }

        var left = await(roomy.evict(held.name(), List.of(new Presence(new ReplicaId("r1"), PATIENT))));

        assertThat(left).contains(record(held.name()));
        assertThat(record(held.name()).queue().tickets())
                .hasSize(12)
                .extracting(Ticket::replica)
                .containsOnly(new ReplicaId("r2"));
        assertThat(record(held.name()).queue().presence()).containsOnlyKeys(new ReplicaId("r2"));
    }

    /** It comes back while its tickets are removed: the write that would have taken the rest of them is refused. */
    @Test
    void aReplicaThatConfirmsItsTicketsWhileTheyAreRemovedKeepsTheRest() {
        var held = held();
        await(locks.acquire(Fixtures.atReplica("r1", waits(BOB, held.name(), PATIENT), PATIENT), NOON));
        var back = new Presence(new ReplicaId("r1"), PATIENT.plusSeconds(1));
        proxy.beforeNext("UpdateItem", () -> await(elsewhere.confirmTickets(held.name(), back)));

        await(locks.evict(held.name(), List.of(new Presence(new ReplicaId("r1"), PATIENT))));

        assertThat(record(held.name()).queue().tickets()).hasSize(1);
    }

    /** Replicas restart under new names. In a queue that is never empty, the old names must not pile up. */
    @Test
    void aReplicaThatIsLongGoneIsForgottenByTheNextThatJoins() {
        var held = held();
        var later = NOON.plusSeconds(3600);
        var first = waits(CY, held.name(), NOON.plusSeconds(1));
        await(locks.acquire(first, NOON));
        await(locks.withdraw(first.ref(), first.attempt(), NOON));
        var dora = new Owner("dora");
        var presence = new Presence(new ReplicaId("r2"), later.plusSeconds(15));
        var joining = wants(dora, held.name());
        await(locks.renew(held.ref(), Optional.of(Duration.ofHours(2)), NOON));

        await(locks.acquire(atReplica(joining, presence, later), later));

        assertThat(record(held.name()).queue().presence()).containsOnlyKeys(presence.replica());
        assertThat(record(held.name()).queue().size()).isOne();
    }

    private static AcquireRequest atReplica(AcquireRequest request, Presence presence, Instant since) {
        return new AcquireRequest(
                request.ref(),
                request.attempt(),
                request.terms(),
                request.labels(),
                Optional.of(new AcquireRequest.QueueEntry(since, since.plusSeconds(60), true, presence)),
                AcquireRequest.Observation.NONE);
    }

    /** The store was slow: what is decided later is decided by the time that it is then. */
    @Test
    void nothingIsGrantedToACallerWhoseWaitEndedWhileTheStoreWasSlow() {
        var passed = new AtomicLong();
        var slow = new DynamoDbStore(
                        client,
                        table,
                        DynamoDbSettings.DEFAULT,
                        RULES,
                        new ClockGuard(Clock.systemUTC(), passed::get, RULES.maxClockSkew(), StoreTelemetry.NONE),
                        StoreTelemetry.NONE)
                .locks();
        var held = held();
        proxy.afterNext("UpdateItem", () -> {
            await(elsewhere.release(held.ref(), NOON));
            passed.addAndGet(Duration.ofSeconds(20).toNanos());
        });

        var outcome = await(slow.acquire(waits(BOB, held.name(), PATIENT), NOON));

        assertThat(outcome).isInstanceOf(AcquireOutcome.GaveUp.class);
        assertThat(record(held.name()).statusAt(NOON)).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void aLeaseThatIsGrantedLateHasAllOfItsTime() {
        var passed = new AtomicLong();
        var slow = new DynamoDbStore(
                        client,
                        table,
                        DynamoDbSettings.DEFAULT,
                        RULES,
                        new ClockGuard(Clock.systemUTC(), passed::get, RULES.maxClockSkew(), StoreTelemetry.NONE),
                        StoreTelemetry.NONE)
                .locks();
        var held = held();
        proxy.afterNext("UpdateItem", () -> {
            await(elsewhere.release(held.ref(), NOON));
            passed.addAndGet(Duration.ofSeconds(5).toNanos());
        });

        var outcome = await(slow.acquire(waits(BOB, held.name(), PATIENT), NOON));

        assertThat(outcome).isInstanceOfSatisfying(AcquireOutcome.Granted.class, granted -> assertThat(
                        granted.lease().expiresAt())
                .isEqualTo(NOON.plusSeconds(5).plus(TTL)));
    }

    /** By its clock everybody has given up long ago; it is its clock that is wrong. */
    @Test
    void aReplicaWhoseClockIsAheadPassesNobodyBy() {
        var held = held();
        await(locks.acquire(waits(BOB, held.name(), PATIENT), NOON));
        await(locks.release(held.ref(), NOON));
        proxy.shiftDate(Duration.ofSeconds(-30));
        await(locks.find(held.name()));

        var outcome = await(locks.acquire(wants(CY, held.name()), PATIENT.plusSeconds(10)));

        assertThat(outcome).isInstanceOf(AcquireOutcome.ReservedForQueue.class);
        assertThat(record(held.name()).queue().size()).isOne();
    }

    @Test
    void aReplicaWhoseClockIsOffTakesNobodyIntoLine() {
        var held = held();
        proxy.shiftDate(Duration.ofSeconds(-30));
        await(locks.find(held.name()));

        assertThatThrownBy(() -> await(locks.acquire(waits(BOB, held.name(), PATIENT), NOON)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("clock");
        assertThat(record(held.name()).queue().isEmpty()).isTrue();
        assertThat(record(held.name()).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
    }

    private Lease held() {
        return ((AcquireOutcome.Granted) await(locks.acquire(wants(ADA, aName()), NOON))).lease();
    }

    private LockRecord record(LockName name) {
        return await(elsewhere.find(name)).orElseThrow();
    }

    private DynamoDbStore storeOn(DynamoDbAsyncClient on) {
        return storeOn(on, RULES);
    }

    private DynamoDbStore storeOn(DynamoDbAsyncClient on, LockRules rules) {
        return new DynamoDbStore(on, table, DynamoDbSettings.DEFAULT, rules, Clock.systemUTC(), StoreTelemetry.NONE);
    }
}
