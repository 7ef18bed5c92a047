package io.holdfast.store.dynamodb.lock;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.atReplica;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.lookingAgain;
import static io.holdfast.lock.port.Fixtures.steps;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.Renewal;
import io.holdfast.lock.port.WithdrawOutcome;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Items in the form of the version before: no {@code attempt}, no {@code granted_to}, no {@code presence}, tickets with an
 * {@code asker} and without a replica. A new replica goes on with them.
 */
@Slow
class EarlierItemsTest {
    private static final String TABLE = "earlier-" + UUID.randomUUID();
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Owner CY = new Owner("cy");
    private static final Instant DEADLINE = NOON.plusSeconds(60);
    private static final long TOKEN =
            FencingToken.firstAt(NOON.minusSeconds(60)).value();

    private static DynamoDbAsyncClient client;
    private static LockStore locks;

    private final LockName name = aName();
    private final LockId id = LockId.random();
    private final LeaseRef adas = new LeaseRef(name, id, ADA);
    private final Map<String, AttributeValue> item = new HashMap<>(LockItem.key(name));

    @BeforeAll
    static void open() {
        client = DynamoDbLocal.shared().client();
        var store = new DynamoDbStore(
                client, TABLE, DynamoDbSettings.DEFAULT, RULES, Clock.systemUTC(), StoreTelemetry.NONE);
        await(store.start());
        locks = store.locks();
    }

    @AfterAll
    static void close() {
        client.close();
    }

    // A held lock.

    @Test
    void aHeldLockIsReadAndListed() {
        givenHeld();

        var record = record();

        assertThat(record.lease().ref()).isEqualTo(adas);
        assertThat(record.lease().token().value()).isEqualTo(TOKEN);
        assertThat(record.statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
        assertThat(record.queue().isEmpty()).isTrue();
        var filter = new LockQuery.Filter(
                LockQuery.Filter.ALL.status(), Optional.of(name.value()), Optional.empty(), Optional.empty());
        assertThat(await(locks.list(new LockQuery(filter, new LockQuery.Bounds(10, 5000), Optional.empty()), NOON))
                        .items())
                .containsExactly(record);
    }

    @Test
    void aHeldLockIsRenewed() {
        givenHeld();

        assertThat(await(locks.renew(adas, Optional.empty(), NOON.plusSeconds(10))))
                .isInstanceOfSatisfying(RenewOutcome.Renewed.class, renewed -> assertThat(
                                renewed.lease().expiresAt())
                        .isEqualTo(NOON.plusSeconds(10).plus(TTL)));
    }

    /** By a clock that is behind the one of the last renewal. */
    @Test
    void aHeldLockIsConfirmedByAClockThatIsBehind() {
        givenHeld();

        assertThat(await(locks.renew(adas, Optional.empty(), NOON.minusMillis(500))))
                .isInstanceOf(RenewOutcome.Renewed.class);
        assertThat(record().lease().expiresAt()).isEqualTo(NOON.plus(TTL));
    }

    @Test
    void aHeldLockIsReleased() {
        givenHeld();

        assertThat(await(locks.release(adas, NOON))).isInstanceOf(ReleaseOutcome.Released.class);
        assertThat(record().statusAt(NOON)).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void aHeldLockIsForcedFree() {
        givenHeld();

        assertThat(await(locks.forceRelease(force(name, new FencingToken(TOKEN)), NOON)))
                .isInstanceOf(ForceReleaseOutcome.Freed.class);
    }

    @Test
    void aHeldLockIsRefusedToAnother() {
        givenHeld();

        assertThat(await(locks.acquire(wants(BOB, name), NOON))).isInstanceOf(AcquireOutcome.HeldByAnother.class);
    }

    @Test
    void aHeldLockIsToldToItsOwnerAgainAndThenBelongsToThatAttempt() {
        givenHeld();
        var request = AcquireRequest.once(adas, TTL, Labels.NONE);

        assertThat(await(locks.acquire(request, NOON))).isInstanceOf(AcquireOutcome.AlreadyHeld.class);

        assertThat(record().attempts().current()).isEqualTo(request.attempt());
        assertThat(await(locks.withdraw(adas, request.attempt(), NOON))).isEqualTo(new WithdrawOutcome.NotThere());
    }

    /** The renewal moves the lease to its attempt, and leaves the item without the one that it was granted to. */
    @Test
    void aHeldLockThatWasMovedByARenewalIsRenewedAndReleasedForThatAttempt() {
        givenHeld();
        var attempt = AttemptId.random();
        var moving = new Renewal(Optional.empty(), Optional.of(attempt));
        assertThat(await(locks.renew(LeaseClaim.of(adas), moving, NOON.plusSeconds(1))))
                .isInstanceOf(RenewOutcome.Renewed.class);
        var claim = LeaseClaim.of(record().lease(), attempt);

        assertThat(await(locks.renew(claim, Renewal.by(Optional.empty()), NOON.plusSeconds(2))))
                .isInstanceOf(RenewOutcome.Renewed.class);
        assertThat(await(locks.renew(claim, Renewal.by(Optional.empty()), NOON.plusSeconds(1))))
                .isInstanceOf(RenewOutcome.Renewed.class);
        assertThat(await(locks.release(claim, NOON.plusSeconds(3)))).isInstanceOf(ReleaseOutcome.Released.class);
    }

    /** A replica of the version before would give it back: it takes it for one that no caller has heard of. */
    @Test
    void aLeaseThatWasToldToItsOwnerHereIsUnclaimedNoMore() {
        givenHeld();
        putWith("unclaimed", Attributes.text("7f0"));
        await(locks.acquire(AcquireRequest.once(adas, TTL, Labels.NONE), NOON));
        assertThat(stored()).doesNotContainKey("unclaimed");

        putWith("unclaimed", Attributes.text("7f0"));
        await(locks.renew(adas, Optional.empty(), NOON.plusSeconds(1)));
        assertThat(stored()).doesNotContainKey("unclaimed");
    }

    @Test
    void anExpiredLockIsTakenOver() {
        givenHeld();
        putWith("unclaimed", Attributes.text("7f0"));

        var granted = granted(wants(BOB, name), NOON.plus(TTL).plus(SKEW).plusMillis(1));

        assertThat(granted.token().value()).isEqualTo(TOKEN + 1);
        assertThat(stored()).doesNotContainKey("unclaimed");
    }

    @Test
    void aHeldLockIsWaitedForAndGranted() {
        givenHeld();
        var bob = atReplica("r1", waits(BOB, name, DEADLINE), NOON.plusSeconds(15));
        var cy = atReplica("r2", waits(CY, name, DEADLINE), NOON.plusSeconds(15));

        assertThat(await(locks.acquire(bob, NOON))).isInstanceOf(AcquireOutcome.Queued.class);
        assertThat(await(locks.acquire(cy, NOON))).isInstanceOf(AcquireOutcome.Queued.class);
        assertThat(record().queue().presence()).hasSize(2);
        var confirmed = new Presence(new ReplicaId("r1"), NOON.plusSeconds(20));
        assertThat(await(locks.confirmTickets(name, confirmed))).contains(record());
        assertThat(record().queue().presence()).containsEntry(confirmed.replica(), confirmed.until());
        await(locks.release(adas, NOON));
        var bobs = granted(lookingAgain(bob), NOON);
        await(locks.release(bobs.ref(), NOON));

        granted(lookingAgain(cy), NOON);
    }

    @Test
    void manyThatComeAtOnceForAHeldLockAllGetAPlace() {
        givenHeld();

        var joining = IntStream.range(0, 4)
                .mapToObj(i -> atReplica("r" + i % 2, waits(new Owner("w" + i), name, DEADLINE), NOON.plusSeconds(15)))
                .map(request -> locks.acquire(request, NOON).subscribeAsCompletionStage())
                .toList();

        assertThat(joining).allSatisfy(answer -> assertThat(answer.join()).isInstanceOf(AcquireOutcome.Queued.class));
        assertThat(record().queue().size()).isEqualTo(4);
        assertThat(record().queue().presence()).hasSize(2);
    }

    @Test
    void aHeldLockIsPurgedLongAfterItHasExpired() {
        givenHeld();

        sweep(NOON.plus(TTL).plus(RETENTION).plusSeconds(2));

        assertThat(await(locks.find(name))).isEmpty();
    }

    // A lock that has ended.

    @Test
    void aReleasedLockIsGranted() {
        givenHeld();
        givenEnded(LockItem.RELEASED);

        assertThat(record().statusAt(NOON)).isEqualTo(LockStatus.RELEASED);
        assertThat(await(locks.release(adas, NOON))).isEqualTo(new ReleaseOutcome.AlreadyGone());
        assertThat(await(locks.renew(adas, Optional.empty(), NOON))).isInstanceOf(RenewOutcome.NotHeld.class);
        assertThat(granted(wants(BOB, name), NOON).token().value()).isEqualTo(TOKEN + 1);
    }

    @Test
    void aReleasedLockIsPurged() {
        givenHeld();
        givenEnded(LockItem.RELEASED);

        sweep(NOON.plus(RETENTION).plusSeconds(2));

        assertThat(await(locks.find(name))).isEmpty();
    }

    @Test
    void aForcedLockIsGrantedWhenItsDelayIsOver() {
        givenHeld();
        item.put("fencing_token", Attributes.number(TOKEN + 1));
        item.put("release_reason", Attributes.text("the holder is gone"));
        item.put("closed_until", Attributes.time(NOON.plusSeconds(10)));
        givenEnded(LockItem.RELEASING);

        assertThat(record().lease().token().value()).isEqualTo(TOKEN);
        assertThat(await(locks.acquire(wants(BOB, name), NOON))).isInstanceOf(AcquireOutcome.ClosedUntil.class);
        assertThat(await(locks.acquire(waits(CY, name, DEADLINE), NOON))).isInstanceOf(AcquireOutcome.Queued.class);
        assertThat(await(locks.withdraw(adas, AttemptId.random(), NOON))).isEqualTo(new WithdrawOutcome.NotThere());
    }

    @Test
    void aForcedLockIsGrantedWithAHigherToken() {
        givenHeld();
        item.put("fencing_token", Attributes.number(TOKEN + 1));
        item.put("release_reason", Attributes.text("the holder is gone"));
        givenEnded(LockItem.RELEASED);

        assertThat(granted(wants(BOB, name), NOON).token().value()).isEqualTo(TOKEN + 2);
    }

    // A lock with waiters.

    @Test
    void theTicketsOfAnEarlierReplicaKeepTheirPlacesUntilTheirDeadlines() {
        givenHeld();
        givenWaiting(ticket(BOB, LockId.random(), NOON.plusSeconds(20)));
        var cy = waits(CY, name, DEADLINE);
        assertThat(await(locks.acquire(cy, NOON)))
                .isInstanceOfSatisfying(AcquireOutcome.Queued.class, place -> assertThat(place.place())
                        .isOne());
        await(locks.release(adas, NOON));

        assertThat(await(locks.acquire(wants(new Owner("dora"), name), NOON)))
                .isInstanceOf(AcquireOutcome.ReservedForQueue.class);
        assertThat(await(locks.acquire(lookingAgain(cy), NOON.plusSeconds(19))))
                .isInstanceOf(AcquireOutcome.Queued.class);
        granted(lookingAgain(cy), NOON.plusSeconds(20));
        assertThat(record().queue().isEmpty()).isTrue();
    }

    @Test
    void aRequestThatWaitedAtAnEarlierReplicaIsAskedAgainAndKeepsThePlace() {
        givenHeld();
        var bobs = LockId.random();
        givenWaiting(ticket(BOB, bobs, NOON.plusSeconds(20)), ticket(CY, LockId.random(), DEADLINE));
        var again = AcquireRequest.once(new LeaseRef(name, bobs, BOB), TTL, Labels.NONE);
        var bob = waits(BOB, name, DEADLINE);
        var waiting = new AcquireRequest(
                again.ref(), again.attempt(), again.terms(), again.labels(), bob.queueEntry(), again.observation());

        assertThat(await(locks.acquire(waiting, NOON)))
                .isInstanceOfSatisfying(AcquireOutcome.Queued.class, place -> assertThat(place.place())
                        .isZero());

        assertThat(record().queue().tickets().getFirst().attempt()).isEqualTo(again.attempt());
        await(locks.release(adas, NOON));
        granted(lookingAgain(waiting), NOON);
        assertThat(record().queue().tickets()).extracting(Ticket::owner).containsExactly(CY);
        // The map of presences is missing still, or again: the next one joins all the same.
        assertThat(await(locks.acquire(waits(new Owner("dora"), name, DEADLINE), NOON)))
                .isInstanceOf(AcquireOutcome.Queued.class);
    }

    /** Its first request waited at an earlier replica, which is gone; it does not wait any more. */
    @Test
    void theHeadOfTheQueueIsGrantedTheLockWithoutWaiting() {
        givenHeld();
        var bobs = LockId.random();
        givenWaiting(ticket(BOB, bobs, DEADLINE), ticket(CY, LockId.random(), DEADLINE));
        await(locks.release(adas, NOON));

        granted(AcquireRequest.once(new LeaseRef(name, bobs, BOB), TTL, Labels.NONE), NOON);

        assertThat(record().queue().tickets()).extracting(Ticket::owner).containsExactly(CY);
    }

    @Test
    void aQueueThatIsFullOfOverdueTicketsHasRoom() {
        givenHeld();
        givenWaiting(IntStream.range(0, RULES.queueMax())
                .mapToObj(i -> ticket(new Owner("w" + i), LockId.random(), NOON.plusSeconds(5)))
                .toArray(AttributeValue[]::new));

        assertThat(await(locks.acquire(waits(CY, name, DEADLINE), NOON.plusSeconds(6))))
                .isInstanceOf(AcquireOutcome.Queued.class);
    }

    @Test
    void overdueTicketsAreNoReasonToKeepOutACallerThatAsksOnce() {
        givenHeld();
        givenWaiting(ticket(BOB, LockId.random(), NOON.plusSeconds(5)));
        await(locks.release(adas, NOON));

        granted(wants(CY, name), NOON.plusSeconds(5));
    }

    @Test
    void aLockWithOverdueTicketsIsPurged() {
        givenHeld();
        givenWaiting(ticket(BOB, LockId.random(), NOON.plusSeconds(5)));
        await(locks.release(adas, NOON));

        sweep(NOON.plus(RETENTION).plusSeconds(2));

        assertThat(await(locks.find(name))).isEmpty();
    }

    /** Of the version before nobody confirms anything, so nothing can be concluded from silence. */
    @Test
    void ticketsOfAnEarlierReplicaAreNotEvicted() {
        givenHeld();
        givenWaiting(ticket(BOB, LockId.random(), DEADLINE));
        var before = record();

        assertThat(await(locks.evict(name, List.of(new Presence(ReplicaId.NONE, NOON)))))
                .contains(before);
    }

    // Words.

    private void givenHeld() {
        item.put("lock_id", Attributes.text(id.value()));
        item.put("owner_id", Attributes.text(ADA.value()));
        item.put("status", Attributes.text(LockItem.ACTIVE));
        item.put("lock_type", Attributes.text("generic"));
        item.put("created_at", Attributes.time(NOON));
        item.put("renewed_at", Attributes.time(NOON));
        item.put("expires_at", Attributes.time(NOON.plus(TTL)));
        item.put("ttl_ms", Attributes.number(TTL.toMillis()));
        item.put("ttl_seconds", Attributes.number(TTL.toSeconds()));
        item.put("ttl", Attributes.number(NOON.plus(TTL).plus(RETENTION).getEpochSecond() + 1));
        item.put("renewals", Attributes.number(0));
        item.put("metadata", Attributes.map(Map.of("reason", "tests")));
        item.put("fencing_token", Attributes.number(TOKEN));
        put();
    }

    private void givenEnded(String status) {
        item.put("status", Attributes.text(status));
        item.put("released_at", Attributes.time(NOON));
        put();
    }

    private void givenWaiting(AttributeValue... tickets) {
        putWith("waiters", AttributeValue.fromL(List.of(tickets)));
    }

    private void putWith(String attribute, AttributeValue value) {
        item.put(attribute, value);
        put();
    }

    private void put() {
        client.putItem(put -> put.tableName(TABLE).item(item)).join();
    }

    private static AttributeValue ticket(Owner owner, LockId id, Instant deadline) {
        return AttributeValue.fromM(Map.of(
                "lock_id", Attributes.text(id.value()),
                "owner_id", Attributes.text(owner.value()),
                "asker", Attributes.text("5d1c"),
                "since", Attributes.time(NOON.minusSeconds(5)),
                "deadline", Attributes.time(deadline)));
    }

    private Map<String, AttributeValue> stored() {
        return client.getItem(get -> get.tableName(TABLE).key(LockItem.key(name)))
                .join()
                .item();
    }

    private LockRecord record() {
        return await(locks.find(name)).orElseThrow();
    }

    private Lease granted(AcquireRequest request, Instant now) {
        var outcome = await(locks.acquire(request, now));
        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
        return ((AcquireOutcome.Granted) outcome).lease();
    }

    private static void sweep(Instant now) {
        var cursor = await(locks.sweep(Optional.empty(), steps(100), now)).next();
        while (cursor.isPresent()) {
            cursor = await(locks.sweep(cursor, steps(100), now)).next();
        }
    }
}
