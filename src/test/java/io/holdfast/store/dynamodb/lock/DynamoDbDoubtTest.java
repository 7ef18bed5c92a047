package io.holdfast.store.dynamodb.lock;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.askedAgain;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.lookingAgain;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import io.holdfast.store.dynamodb.call.ClockGuard;
import io.holdfast.store.dynamodb.call.DynamoDbConfig;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Answers that were lost or came late, and clocks that were set. */
@Slow
class DynamoDbDoubtTest {
    private static final Owner CY = new Owner("cy");

    private final FaultProxy proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
    private final DynamoDbAsyncClient client = DynamoDbLocal.shared().client(proxy.endpoint());
    private final DynamoDbAsyncClient direct = DynamoDbLocal.shared().client();
    private final String table = "doubt-" + UUID.randomUUID();
    private final DynamoDbStore store = storeOn(client, DynamoDbSettings.DEFAULT);
    private final LockStore locks = store.locks();
    /** Another replica, past the proxy. */
    private final LockStore elsewhere =
            storeOn(direct, DynamoDbSettings.DEFAULT).locks();

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

    /** Carried out, its answer lost, and a late duplicate of the owner's own acquire is granted meanwhile. */
    @Test
    void aReleaseThatNamesItsTokenAndWasCarriedOutIsAnsweredAsDone() {
        var request = wants(ADA, aName());
        var lease = granted(await(locks.acquire(request, NOON)));
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);
        proxy.afterNext("UpdateItem", () -> await(elsewhere.acquire(duplicate(request), NOON)));

        var outcome = await(locks.release(LeaseClaim.of(lease.ref()).withToken(Optional.of(lease.token())), NOON));

        assertThat(outcome).isNotInstanceOf(ReleaseOutcome.HeldByAnother.class);
    }

    /**
     * The lease was lost, another owner had the lock, a late duplicate was granted it under the same lock_id and
     * given back. The release of the first lease names its token, and is answered as if that had lasted until now.
     */
    @Test
    void aReleaseInDoubtOfALeaseThatWasLostIsNotAnsweredAsDoneForALaterOneOfTheSameLockId() {
        var request = wants(ADA, aName());
        var lease = granted(await(locks.acquire(request, NOON)));
        var takenOver = NOON.plus(TTL).plus(SKEW).plusMillis(1);
        var bobs = granted(await(elsewhere.acquire(wants(BOB, request.name()), takenOver)));
        await(elsewhere.release(bobs.ref(), takenOver.plusSeconds(1)));
        var again = granted(await(elsewhere.acquire(duplicate(request), takenOver.plusSeconds(2))));
        await(elsewhere.release(again.ref(), takenOver.plusSeconds(3)));
        proxy.next("UpdateItem", Fault.ERROR_500_BEFORE);

        var outcome = await(locks.release(
                LeaseClaim.of(lease.ref()).withToken(Optional.of(lease.token())), takenOver.plusSeconds(10)));

        assertThat(outcome).isNotInstanceOf(ReleaseOutcome.Released.class);
    }

    /**
     * By a clock 0.4 s ahead the lease is abandoned and the head's time is up; by one 0.1 s behind neither is
     * so, and there the head asks again and keeps its place. The next in line was about to pass it, and does.
     */
    @Test
    void aTicketThatWasTakenOverInTimeIsNotPassed() {
        var held = granted(await(locks.acquire(wants(ADA, aName()), NOON)));
        var end = held.expiresAt();
        var cy = waits(CY, held.name(), end.plusMillis(800));
        var bob = waits(BOB, held.name(), end.plusSeconds(20));
        await(locks.acquire(cy, NOON));
        await(locks.acquire(bob, NOON));
        var seen = await(locks.find(held.name()));
        var again = askedAgain(cy, end.plusMillis(500), end.plusSeconds(20));
        var presence = new Presence(new ReplicaId("r3"), end.plusSeconds(15));
        var visit = new AcquireRequest.QueueEntry(end.plusMillis(500), end.plusSeconds(20), true, presence);
        var atAnother = new AcquireRequest(
                again.ref(), again.attempt(), again.terms(), again.labels(), Optional.of(visit), again.observation());
        assertThat(await(elsewhere.acquire(atAnother, end.plusMillis(500))))
                .isInstanceOfSatisfying(AcquireOutcome.Queued.class, line -> assertThat(line.place())
                        .isZero());

        var outcome = await(locks.acquire(
                lookingAgain(bob).with(new AcquireRequest.Observation(seen, Optional.empty())), end.plusMillis(1_001)));

        assertThat(outcome).isNotInstanceOf(AcquireOutcome.Granted.class);
        assertThat(await(locks.find(held.name())).orElseThrow().queue().placeOf(cy.ref()))
                .as("cy was told that it is the first")
                .hasValue(0);
    }

    /** Set by more than the allowed skew since the last answer; the monotonic clock tells exactly how far. */
    @Test
    void aStepBeyondTheSkewIsNoticedThoughTheLastAnswersDateHasWholeSeconds() {
        var wall = new AtomicReference<>(NOON.plusMillis(50));
        var guard = new ClockGuard(wall::get, () -> 0, SKEW, StoreTelemetry.NONE);
        var date = DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC).format(NOON);
        guard.answered(
                guard.read(),
                SdkHttpResponse.builder()
                        .statusCode(200)
                        .putHeader("Date", date)
                        .build());
        assertThat(guard.clockIsOff()).isFalse();

        wall.set(wall.get().plus(SKEW).plusMillis(200));

        assertThat(guard.clockIsOff()).isTrue();
    }

    /** The lock is free, and the first try of the very first write gets no answer until the wait is over. */
    @Test
    void nothingIsGrantedByARetryAfterTheWaitIsOver() {
        var impatient =
                storeOn(client, new DynamoDbSettings(5, Duration.ofSeconds(3))).locks();
        var request = waits(ADA, aName(), NOON.plusMillis(250));
        await(impatient.find(request.name()));
        proxy.next("UpdateItem", Fault.HANG);

        assertThat(await(impatient.acquire(request, NOON))).isInstanceOf(AcquireOutcome.GaveUp.class);
    }

    private static AcquireRequest duplicate(AcquireRequest request) {
        return AcquireRequest.once(request.ref(), request.ttl(), request.labels());
    }

    private static Lease granted(AcquireOutcome outcome) {
        return ((AcquireOutcome.Granted) outcome).lease();
    }

    private DynamoDbStore storeOn(DynamoDbAsyncClient to, DynamoDbConfig config) {
        return new DynamoDbStore(to, table, config, RULES, Clock.systemUTC(), StoreTelemetry.NONE);
    }
}
