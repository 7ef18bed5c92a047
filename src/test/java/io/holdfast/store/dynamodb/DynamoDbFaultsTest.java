package io.holdfast.store.dynamodb;

import static io.holdfast.lock.Fixtures.ADA;
import static io.holdfast.lock.Fixtures.BOB;
import static io.holdfast.lock.Fixtures.NOON;
import static io.holdfast.lock.Fixtures.RETENTION;
import static io.holdfast.lock.Fixtures.RULES;
import static io.holdfast.lock.Fixtures.SKEW;
import static io.holdfast.lock.Fixtures.TTL;
import static io.holdfast.lock.Fixtures.aName;
import static io.holdfast.lock.Fixtures.await;
import static io.holdfast.lock.Fixtures.force;
import static io.holdfast.lock.Fixtures.steps;
import static io.holdfast.lock.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.AcquireOutcome;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.ForceReleaseOutcome;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockName;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LockRecord;
import io.holdfast.lock.LockStore;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.RenewOutcome;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import java.time.Clock;
import java.time.Duration;
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
        store = storeOn(client, table, new DynamoDbSettings(ATTEMPTS, Duration.ofSeconds(5)));
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
        assertThat(await(locks.find(request.name()))).contains(LockRecord.held(lease));
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
                .isEqualTo(new ForceReleaseOutcome.Freed(lease, lease.token().next()));
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
        assertThat(store.keepingFromReady(problems)).isEmpty();
    }

    @Test
    void aReplicaThatHasNeverReachedItsTableIsNotReady() {
        var another = storeOn(client, "never-made", new DynamoDbSettings(ATTEMPTS, Duration.ofSeconds(5)));

        var problems = await(another.problems());

        assertThat(problems).isNotEmpty();
        assertThat(another.keepingFromReady(problems)).isEqualTo(problems);
    }

    @Test
    void whatIsUnavailableAfterCommittingIsFoundByAskingAgainWithTheSameLockId() {
        var request = wants(ADA, aName());
        proxy.always(Fault.LOSE_ANSWER);
        assertThatThrownBy(() -> await(locks.acquire(request, NOON))).isInstanceOf(StoreUnavailableException.class);
        proxy.heal();

        var again = await(locks.acquire(request, NOON.plusSeconds(5)));

        assertThat(again).isEqualTo(new AcquireOutcome.AlreadyYours(request.leaseAt(NOON, FencingToken.firstAt(NOON))));
    }

    @Test
    void anAttemptWithoutAnAnswerIsGivenUpAndTriedAgain() {
        var impatient = storeOn(client, table, new DynamoDbSettings(ATTEMPTS, Duration.ofMillis(500)));
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
        assertThat(store.keepingFromReady(problems)).isEqualTo(problems);

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
        return new DynamoDbStore(
                client, table, config, RULES, new DynamoDbStore.Surroundings(Clock.systemUTC(), StoreTelemetry.NONE));
    }

    private Lease grant(LockName name) {
        return ((AcquireOutcome.Granted) await(locks.acquire(wants(ADA, name), NOON))).lease();
    }
}
