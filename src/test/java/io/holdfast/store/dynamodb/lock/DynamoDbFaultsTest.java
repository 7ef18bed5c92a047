package io.holdfast.store.dynamodb.lock;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.steps;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.DynamoDbConfig;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What the network and DynamoDB do to a lock, injected at the wire, and what each operation costs. */
@Slow
class DynamoDbFaultsTest {
    private static final int ATTEMPTS = 3;

    private final String table = "faults-" + UUID.randomUUID();
    private FaultProxy proxy;
    private DynamoDbAsyncClient client;
    private DynamoDbStore store;
    private LockStore locks;

    @BeforeEach
    void open() throws Exception {
        proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
        client = DynamoDbLocal.shared().client(proxy.endpoint());
        store = storeOn(client, table, new DynamoDbSettings(ATTEMPTS, Duration.ofSeconds(60)));
        locks = store.locks();
        await(store.start());
        proxy.resetCounts();
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        proxy.close();
    }

    @Test
    void acquireRenewReleaseAndForceReleaseAreOneUpdateItemEach() {
        var name = aName();

        var lease = grant(name);
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 1));
        await(locks.acquire(wants(BOB, name), NOON));
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 2));
        await(locks.renew(lease.ref(), Optional.empty(), NOON));
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 3));
        await(locks.release(lease.ref(), NOON));
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 4));
        await(locks.release(lease.ref(), NOON));
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 5));
        await(locks.forceRelease(force(name, lease.token()), NOON));
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 6));
    }

    @Test
    void aReadIsOneGetItemAndAListingOneScanPerThousand() {
        var lease = grant(aName());
        proxy.resetCounts();

        await(locks.find(lease.name()));
        await(locks.list(new LockQuery(LockQuery.Filter.ALL, new LockQuery.Bounds(10, 5000), Optional.empty()), NOON));

        assertThat(proxy.counts()).isEqualTo(Map.of("GetItem", 1, "Scan", 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void anAcquireWhoseAnswerWasLostIsRecognisedAsGranted(Fault fault) {
        var request = wants(ADA, aName());
        proxy.next("UpdateItem", fault);

        var outcome = await(locks.acquire(request, NOON));

        var lease = request.leaseAt(NOON, FencingToken.firstAt(NOON));
        assertThat(outcome).isEqualTo(new AcquireOutcome.Granted(lease, Optional.empty()));
        assertThat(await(locks.find(request.name())).map(LockRecord::lease)).contains(lease);
        assertThat(proxy.count("UpdateItem")).isEqualTo(2);
    }

    @Test
    void aLostAnswerIsNotTakenForAGrantWhenAnotherHoldsTheLock() {
        var name = aName();
        var held = grant(name);
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);

        var outcome = await(locks.acquire(wants(BOB, name), NOON));

        assertThat(outcome).isEqualTo(new AcquireOutcome.HeldByAnother(held));
    }

    /** The first attempt commits, its answer is lost, and before the second one an administrator steps in. */
    @Test
    void aLeaseForcedAwayBetweenTwoAttemptsIsGrantedAnewWithAHigherToken() {
        var request = wants(ADA, aName());
        var first = FencingToken.firstAt(NOON);
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);
        proxy.afterNext("UpdateItem", () -> {
            try (var direct = DynamoDbLocal.shared().client()) {
                await(storeOn(direct).forceRelease(force(request.name(), first), NOON));
            }
        });

        var outcome = await(locks.acquire(request, NOON));

        var expected = request.leaseAt(NOON, first.next().next());
        assertThat(outcome).isInstanceOfSatisfying(AcquireOutcome.Granted.class, granted -> assertThat(granted.lease())
                .isEqualTo(expected));
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aReleaseWhoseAnswerWasLostIsRecognisedAsDone(Fault fault) {
        var lease = grant(aName());
        proxy.next("UpdateItem", fault);

        assertThat(await(locks.release(lease.ref(), NOON))).isEqualTo(new ReleaseOutcome.Released(lease));
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aForceReleaseWhoseAnswerWasLostIsRecognisedAsDone(Fault fault) {
        var lease = grant(aName());
        proxy.next("UpdateItem", fault);

        assertThat(await(locks.forceRelease(force(lease.name(), lease.token()), NOON)))
                .isEqualTo(new ForceReleaseOutcome.Freed(
                        Optional.of(lease), lease.token().next()));
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT", "ERROR_500_BEFORE", "THROTTLE", "REFUSE"})
    void aRenewalSurvivesAPassingFault(Fault fault) {
        var lease = grant(aName());
        proxy.next("UpdateItem", fault);

        var outcome = await(locks.renew(lease.ref(), Optional.empty(), NOON.plusSeconds(1)));

        assertThat(outcome).isInstanceOfSatisfying(RenewOutcome.Renewed.class, renewed -> assertThat(
                        renewed.lease().expiresAt())
                .isEqualTo(NOON.plusSeconds(1).plus(TTL)));
    }

    @ParameterizedTest
    @EnumSource(names = {"ERROR_500_BEFORE", "THROTTLE", "REFUSE"})
    void anOutageEndsAsUnavailableAfterAllAttemptsAndLeavesNothingBehind(Fault fault) {
        var request = wants(ADA, aName());
        proxy.always(fault);

        assertThatThrownBy(() -> await(locks.acquire(request, NOON))).isInstanceOf(StoreUnavailableException.class);

        assertThat(proxy.count("UpdateItem")).isEqualTo(ATTEMPTS);
        proxy.heal();
        assertThat(await(locks.find(request.name()))).isEmpty();
        assertThat(await(store.problems())).isEmpty();
    }

    @Test
    void anOutageIsAProblemOfTheStoreAndDoesNotKeepTheReplicaFromServing() {
        proxy.always(Fault.REFUSE);

        var problems = await(store.problems());

        assertThat(problems).isNotEmpty();
        assertThat(store.blockingReadiness(problems)).isEmpty();
    }

    @Test
    void aReplicaThatHasNeverReachedItsTableIsNotReady() {
        var another = storeOn(client, "never-made", new DynamoDbSettings(ATTEMPTS, Duration.ofSeconds(60)));

        var problems = await(another.problems());

        assertThat(problems).isNotEmpty();
        assertThat(another.blockingReadiness(problems)).isEqualTo(problems);
    }

    @Test
    void whatIsUnavailableAfterCommittingIsFoundByAskingAgainWithTheSameLockId() {
        var request = wants(ADA, aName());
        proxy.always(Fault.LOSE_ANSWER);
        assertThatThrownBy(() -> await(locks.acquire(request, NOON))).isInstanceOf(StoreUnavailableException.class);
        proxy.heal();

        var again =
                await(locks.acquire(AcquireRequest.once(request.ref(), TTL, request.labels()), NOON.plusSeconds(5)));

        assertThat(again).isEqualTo(new AcquireOutcome.AlreadyHeld(request.leaseAt(NOON, FencingToken.firstAt(NOON))));
    }

    @Test
    void anAttemptWithoutAnAnswerIsGivenUpAndTriedAgain() {
        // On a busy machine further attempts may run out of their time as well.
        var impatient = storeOn(client, table, new DynamoDbSettings(20, Duration.ofSeconds(2)));
        proxy.next("UpdateItem", Fault.HANG_AFTER_COMMIT);

        var outcome = await(impatient.locks().acquire(wants(ADA, aName()), NOON));

        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
    }

    @Test
    void aRecordTakenAnewWhileTheSweeperLooksIsNotDeleted() {
        var lease = grant(aName());
        await(locks.release(lease.ref(), NOON));
        var later = NOON.plus(RETENTION).plusSeconds(1);
        proxy.beforeNext("DeleteItem", () -> {
            try (var direct = DynamoDbLocal.shared().client()) {
                await(storeOn(direct).acquire(wants(BOB, lease.name()), later));
            }
        });

        var step = await(locks.sweep(Optional.empty(), steps(100), later));

        assertThat(step.purged()).isZero();
        assertThat(await(locks.find(lease.name())))
                .hasValueSatisfying(record -> assertThat(record.lease().owner()).isEqualTo(BOB));
    }

    /** Given back and taken by another, so that it ends at the very same moment: only the token tells them apart. */
    @Test
    void anotherLeaseOfTheSameTermIsNotDeletedInPlaceOfTheOneThatWasSeen() {
        var lease = grant(aName());
        var later = NOON.plus(TTL).plus(RETENTION).plusSeconds(1);
        proxy.beforeNext("DeleteItem", () -> {
            try (var direct = DynamoDbLocal.shared().client()) {
                await(storeOn(direct).release(lease.ref(), NOON));
                await(storeOn(direct).acquire(wants(BOB, lease.name()), NOON));
            }
        });

        assertThat(await(locks.sweep(Optional.empty(), steps(100), later)).purged())
                .isZero();
        assertThat(await(locks.find(lease.name()))).isPresent();
    }

    @Test
    void aRecordRenewedWhileTheSweeperLooksIsNotDeleted() {
        var lease = grant(aName());
        var later = NOON.plus(TTL).plus(RETENTION).plusSeconds(1);
        proxy.beforeNext("DeleteItem", () -> {
            try (var direct = DynamoDbLocal.shared().client()) {
                await(storeOn(direct).renew(lease.ref(), Optional.empty(), NOON.plusSeconds(1)));
            }
        });

        assertThat(await(locks.sweep(Optional.empty(), steps(100), later)).purged())
                .isZero();
        assertThat(await(locks.find(lease.name()))).isPresent();
    }

    @Test
    void aRecordReleasedWhileTheSweeperLooksIsNotDeleted() {
        var lease = grant(aName());
        var later = NOON.plus(TTL).plus(RETENTION).plusSeconds(1);
        proxy.beforeNext("DeleteItem", () -> {
            try (var direct = DynamoDbLocal.shared().client()) {
                await(storeOn(direct).release(lease.ref(), later));
            }
        });

        assertThat(await(locks.sweep(Optional.empty(), steps(100), later)).purged())
                .isZero();
        assertThat(await(locks.find(lease.name()))).isPresent();
    }

    @ParameterizedTest
    @EnumSource(ClockError.class)
    void aClockThatIsOffTakesNothingOverAndSaysSo(ClockError error) {
        var lease = grant(aName());
        var afterExpiry = NOON.plus(TTL).plus(SKEW).plusSeconds(60);
        proxy.shiftDate(error.shift);

        var noticing = await(locks.find(lease.name()));
        var refused = await(locks.acquire(wants(BOB, lease.name()), afterExpiry));
        var swept = await(locks.sweep(Optional.empty(), steps(100), afterExpiry.plus(RETENTION)));

        assertThat(noticing).isPresent();
        assertThat(refused).isEqualTo(new AcquireOutcome.HeldByAnother(lease));
        assertThat(swept).isEqualTo(new LockStore.SweepStep(0, Optional.empty(), Optional.empty()));
        var problems = await(store.problems());
        assertThat(problems).singleElement().asString().contains("clock", error.word);
        assertThat(store.blockingReadiness(problems)).isEqualTo(problems);

        proxy.shiftDate(Duration.ZERO);
        await(locks.find(lease.name()));

        assertThat(await(store.problems())).isEmpty();
        assertThat(await(locks.acquire(wants(BOB, lease.name()), afterExpiry)))
                .isInstanceOf(AcquireOutcome.Granted.class);
    }

    @Test
    void aClockThatIsBehindGrantsAndRenewsNothing() {
        var lease = grant(aName());
        proxy.shiftDate(ClockError.BEHIND.shift);
        await(locks.find(lease.name()));

        assertThatThrownBy(() -> await(locks.acquire(wants(BOB, aName()), NOON)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("behind");
        assertThatThrownBy(() -> await(locks.renew(lease.ref(), Optional.empty(), NOON)))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(await(locks.release(lease.ref(), NOON))).isEqualTo(new ReleaseOutcome.Released(lease));
    }

    /** Set forward between two requests: no answer has told of it yet, and the lease still lasts by every other clock. */
    @ParameterizedTest
    @EnumSource(ClockError.class)
    void aClockThatWasSetSinceTheLastAnswerTakesNothingOver(ClockError error) {
        var clock = new StepClock();
        var set = storeGoingBy(clock);
        var lease = ((AcquireOutcome.Granted) await(set.acquire(wants(ADA, aName()), NOON))).lease();

        clock.step = error.shift.negated();
        var outcome = await(
                set.acquire(wants(BOB, lease.name()), NOON.plus(TTL).plus(SKEW).plusSeconds(1)));

        assertThat(outcome).isEqualTo(new AcquireOutcome.HeldByAnother(lease));
    }

    /** A new replica makes its first request by a clock that is ahead, and the clock is set right before the answer. */
    @Test
    void aClockThatIsCorrectedDuringAReplicasFirstRequestTakesNothingOver() {
        var lease = grant(aName());
        var clock = new StepClock();
        clock.step = ClockError.BEHIND.shift;
        var set = storeGoingBy(clock);
        proxy.afterNext("GetItem", () -> clock.step = Duration.ZERO);

        var outcome = await(
                set.acquire(wants(BOB, lease.name()), NOON.plus(TTL).plus(SKEW).plusSeconds(1)));

        assertThat(outcome).isEqualTo(new AcquireOutcome.HeldByAnother(lease));
    }

    private LockStore storeGoingBy(InstantSource clock) {
        return new DynamoDbStore(client, table, DynamoDbSettings.DEFAULT, RULES, clock, StoreTelemetry.NONE).locks();
    }

    private static final class StepClock implements InstantSource {
        private Duration step = Duration.ZERO;

        @Override
        public Instant instant() {
            return Instant.now().plus(step);
        }
    }

    @Test
    void aClockThatIsAheadNeitherGrantsTheOwnersLeaseAnewNorRefusesToRenewIt() {
        var lease = grant(aName());
        proxy.shiftDate(ClockError.AHEAD.shift);
        await(locks.find(lease.name()));
        var late = NOON.plus(TTL).plusSeconds(20);

        assertThat(await(locks.acquire(wants(ADA, lease.name()), late)))
                .isEqualTo(new AcquireOutcome.AlreadyHeld(lease));
        assertThat(await(locks.renew(lease.ref(), Optional.empty(), late)))
                .isInstanceOfSatisfying(
                        RenewOutcome.Renewed.class,
                        renewed -> assertThat(renewed.lease().token()).isEqualTo(lease.token()));
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aReleaseWhoseAnswerWasLostIsAReleaseThoughTheNextHolderHasTheLock(Fault fault) {
        var lease = grant(aName());
        proxy.next("UpdateItem", fault);
        proxy.afterNext("UpdateItem", () -> grantElsewhere(lease.name()));

        assertThat(await(locks.release(lease.ref(), NOON))).isEqualTo(new ReleaseOutcome.ReleasedBefore());
    }

    /** The lease had run out and was taken over before its holder asked to release it: that is told, in doubt or not. */
    @Test
    void aReleaseInDoubtOfALeaseThatWasLostBeforeIsRefused() {
        var lease = grant(aName());
        var takenOver = NOON.plus(TTL).plus(SKEW).plusMillis(1);
        var next = ((AcquireOutcome.Granted) await(locks.acquire(wants(BOB, lease.name()), takenOver))).lease();
        proxy.next("UpdateItem", Fault.ERROR_500_BEFORE);

        assertThat(await(locks.release(lease.ref(), takenOver.plusSeconds(5))))
                .isEqualTo(new ReleaseOutcome.HeldByAnother(next));
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aForceReleaseWhoseAnswerWasLostIsOneThoughTheNextHolderHasTheLock(Fault fault) {
        var lease = grant(aName());
        proxy.next("UpdateItem", fault);
        proxy.afterNext("UpdateItem", () -> grantElsewhere(lease.name()));

        assertThat(await(locks.forceRelease(force(lease.name(), lease.token()), NOON)))
                .isEqualTo(new ForceReleaseOutcome.Freed(
                        Optional.empty(), lease.token().next()));
    }

    private void grantElsewhere(LockName name) {
        try (var direct = DynamoDbLocal.shared().client()) {
            assertThat(await(storeOn(direct).acquire(wants(BOB, name), NOON)))
                    .isInstanceOf(AcquireOutcome.Granted.class);
        }
    }

    @Test
    void dynamoDbIsNotToldToDeleteARecordBeforeTheTimeHasPassedItsToken() {
        var ahead = NOON.plus(Duration.ofDays(30));
        var name = aName();
        var wild = ((AcquireOutcome.Granted) await(locks.acquire(wants(ADA, name), ahead))).lease();
        await(locks.release(wild.ref(), NOON));
        assertThat(ttlOf(name)).isAfter(ahead);
        var next = grant(name);
        assertThat(ttlOf(name)).isAfter(ahead);
        await(locks.renew(next.ref(), Optional.of(TTL), NOON));
        assertThat(ttlOf(name)).isAfter(ahead);
        await(locks.renew(next.ref(), Optional.empty(), NOON));
        assertThat(ttlOf(name)).isAfter(ahead);
        await(locks.forceRelease(force(name, next.token()), NOON));
        assertThat(ttlOf(name)).isAfter(ahead);
    }

    private Instant ttlOf(LockName name) {
        var item = client.getItem(get -> get.tableName(table).key(LockItem.key(name)))
                .join()
                .item();
        return Instant.ofEpochSecond(Long.parseLong(item.get("ttl").n()));
    }

    @Test
    void aRecordOfANewerVersionIsReadAndListedAndItsFieldsStay() {
        var lease = grant(aName());
        client.updateItem(update -> update.tableName(table)
                        .key(LockItem.key(lease.name()))
                        .updateExpression("SET lock_type = :type, shape = :shape")
                        .expressionAttributeValues(Map.of(
                                ":type", Attributes.text("tenant"),
                                ":shape", Attributes.map(Map.of("a", "b")))))
                .join();

        assertThat(await(locks.find(lease.name()))
                        .orElseThrow()
                        .lease()
                        .labels()
                        .type())
                .isEqualTo(LockType.OTHER);
        assertThat(await(locks.list(
                                new LockQuery(LockQuery.Filter.ALL, new LockQuery.Bounds(10, 5000), Optional.empty()),
                                NOON))
                        .items())
                .hasSize(1);
        await(locks.renew(lease.ref(), Optional.empty(), NOON));
        var item = client.getItem(get -> get.tableName(table).key(LockItem.key(lease.name())))
                .join()
                .item();
        assertThat(item).containsEntry("lock_type", Attributes.text("tenant")).containsKey("shape");
    }

    enum ClockError {
        AHEAD(Duration.ofSeconds(-30), "ahead of"),
        BEHIND(Duration.ofSeconds(30), "behind");

        private final Duration shift;
        private final String word;

        ClockError(Duration shift, String word) {
            this.shift = shift;
            this.word = word;
        }
    }

    /** The same table past the proxy, as another replica would see it. */
    private LockStore storeOn(DynamoDbAsyncClient direct) {
        return storeOn(direct, table, DynamoDbSettings.DEFAULT).locks();
    }

    private static DynamoDbStore storeOn(DynamoDbAsyncClient client, String table, DynamoDbConfig config) {
        return new DynamoDbStore(client, table, config, RULES, Clock.systemUTC(), StoreTelemetry.NONE);
    }

    private Lease grant(LockName name) {
        return ((AcquireOutcome.Granted) await(locks.acquire(wants(ADA, name), NOON))).lease();
    }
}
