package io.holdfast.lifecycle.action;

import static io.holdfast.lifecycle.model.ServiceStatus.DEPLOYING;
import static io.holdfast.lifecycle.model.ServiceStatus.IDLE;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.model.ServiceStatus.STOPPED;
import static io.holdfast.lifecycle.port.LifecycleFixtures.RETENTION;
import static io.holdfast.lifecycle.port.LifecycleFixtures.RULES;
import static io.holdfast.lifecycle.port.LifecycleFixtures.anId;
import static io.holdfast.lifecycle.port.LifecycleFixtures.deploy;
import static io.holdfast.lifecycle.port.LifecycleFixtures.registration;
import static io.holdfast.lifecycle.port.LifecycleFixtures.repair;
import static io.holdfast.lifecycle.port.LifecycleFixtures.result;
import static io.holdfast.lifecycle.port.LifecycleFixtures.set;
import static io.holdfast.lifecycle.port.LifecycleFixtures.written;
import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.lifecycle.port.FakeLifecycleStore;
import io.holdfast.lifecycle.port.HeardLifecycle;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.RulesStore;
import io.holdfast.lock.port.RulesStore.Call;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatusWritesTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final StatusLockTerms TERMS =
            new StatusLockTerms(TTL, 10, Duration.ofMillis(200), Duration.ofMillis(100), Duration.ofMillis(500), 1);

    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final RulesStore locks = new RulesStore(Fixtures.RULES);
    private final FakeLifecycleStore store = new FakeLifecycleStore();
    private final HeardLifecycle heard = new HeardLifecycle();
    private final ServiceId id = anId();
    private StatusLock lock;
    private StatusWrites writes;

    @BeforeEach
    void start() {
        var service = TestLimits.service(locks, clock, timers, new LeaseRenewers(locks, clock, timers));
        lock = new StatusLock(service, timers, clock, heard);
        writes = new StatusWrites(store, lock, RULES, RETENTION, clock, heard, new MoveSignal());
        assertThat(await(writes.commit(registration(id, NOON)))).isTrue();
    }

    private CompletableFuture<WriteOutcome> begin(StatusWrite write) {
        return writes.write(id, write, TERMS).subscribeAsCompletionStage();
    }

    private Service stored() {
        return await(store.find(id)).orElseThrow();
    }

    private boolean isLocked() {
        return await(locks.find(id.lock()))
                .filter(record -> record.end().isEmpty())
                .isPresent();
    }

    @Test
    void aWriteHoldsTheLockAndReleasesIt() {
        store.beforeCommit = () -> assertThat(isLocked()).isTrue();

        var deploying = written(await(writes.write(id, deploy(), TERMS)));

        assertThat(deploying.status()).isEqualTo(DEPLOYING);
        assertThat(stored()).isEqualTo(deploying);
        assertThat(isLocked()).isFalse();
        assertThat(heard.notes).containsExactly("acquired after 1", "released");
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aRefusalReleasesTheLockToo() {
        assertThat(await(writes.write(id, set(RUNNING), TERMS))).isInstanceOf(WriteOutcome.Illegal.class);

        assertThat(isLocked()).isFalse();
        assertThat(heard.notes).contains("refused Illegal");
    }

    @Test
    void aFailureOfTheStoreReleasesTheLockToo() {
        store.isAway = true;

        assertThat(begin(deploy())).isCompletedExceptionally();

        assertThat(isLocked()).isFalse();
    }

    @Test
    void aServiceThatDoesNotExistIsNotWritten() {
        var outcome = await(writes.write(anId(), deploy(), TERMS));

        assertThat(outcome).isEqualTo(new WriteOutcome.NoSuchService());
    }

    @Test
    void aWriterThatFindsTheLockHeldTriesTenTimesAndChangesNothing() {
        await(locks.acquire(wants(ADA, id.lock(), Duration.ofMinutes(5)), clock.instant()));
        var asked = locks.count(Call.ACQUIRE);

        var outcome = begin(deploy());
        timers.advance(Duration.ofSeconds(3));

        assertThat(outcome)
                .isCompletedWithValueMatching(refused -> refused instanceof WriteOutcome.NotLocked held
                        && held.tries() == 10
                        && held.lock().orElseThrow() instanceof AcquireOutcome.HeldByAnother other
                        && other.holder().owner().equals(ADA));
        assertThat(locks.count(Call.ACQUIRE) - asked).isEqualTo(10);
        assertThat(stored().status()).isEqualTo(IDLE);
        assertThat(heard.notes).singleElement().asString().startsWith("not acquired after 10 in ");
    }

    @Test
    void theTriesAreTwoHundredMillisecondsApartPlusAtMostOneHundred() {
        await(locks.acquire(wants(ADA, id.lock(), Duration.ofMinutes(5)), clock.instant()));

        var outcome = begin(deploy());
        timers.advance(Duration.ofMillis(9 * 200 - 1));
        assertThat(outcome).isNotDone();
        timers.advance(Duration.ofMillis(9 * 100 + 1));
        assertThat(outcome).isDone();
    }

    @Test
    void aWriterGetsInWhenTheHolderReleases() {
        var held = wants(ADA, id.lock(), Duration.ofMinutes(5));
        await(locks.acquire(held, clock.instant()));

        var outcome = begin(deploy());
        timers.advance(Duration.ofMillis(500));
        await(locks.release(held.ref(), clock.instant()));
        timers.advance(Duration.ofMillis(300));

        assertThat(written(await(Uni.createFrom().completionStage(outcome))).status())
                .isEqualTo(DEPLOYING);
    }

    @Test
    void aWriterGetsInWhenTheLeaseOfADeadWriterIsOver() {
        await(locks.acquire(wants(ADA, id.lock(), TTL), clock.instant()));
        timers.advance(TTL.plus(Fixtures.SKEW));

        var outcome = begin(deploy());
        timers.advance(Duration.ofMillis(300));

        assertThat(written(await(Uni.createFrom().completionStage(outcome))).status())
                .isEqualTo(DEPLOYING);
    }

    @Test
    void theLeaseOfALongWriteIsExtendedWhenLittleOfItIsLeft() {
        var slow = new CompletableFuture<WriteOutcome>();
        var outcome = lock.run(id, Writer.API, TERMS, held -> Uni.createFrom()
                        .completionStage(slow)
                        .invoke(() -> assertThat(held.isValid()).isTrue()))
                .subscribeAsCompletionStage();

        timers.advance(TTL.minusMillis(501));
        assertThat(heard.notes).containsExactly("acquired after 1");
        timers.advance(Duration.ofMillis(1));
        assertThat(heard.notes).containsExactly("acquired after 1", "extended");
        timers.advance(TTL.multipliedBy(3));
        assertThat(isLocked()).isTrue();

        slow.complete(new WriteOutcome.NoSuchService());
        assertThat(outcome).isCompleted();
        assertThat(isLocked()).isFalse();
        assertThat(timers.waiting()).isZero();
    }

    /** The process sleeps between its decision and its write. The timer of the extension sleeps with it. */
    @Test
    void aWriterThatHasSleptPastItsLeaseDoesNotWrite() {
        var asleep = new CompletableFuture<Void>();
        var outcome = lock.run(id, Writer.API, TERMS, held -> Uni.createFrom()
                        .completionStage(asleep)
                        .<WriteOutcome>map(woken -> {
                            assertThat(held.isValid()).isFalse();
                            return new WriteOutcome.NoSuchService();
                        }))
                .subscribeAsCompletionStage();
        clock.advance(TTL.minus(TERMS.drift()));

        asleep.complete(null);

        assertThat(outcome).isCompleted();
    }

    @Test
    void aWriterWhoseLeaseIsOverBeforeItsWriteChangesNothing() {
        store.afterFind = () -> clock.advance(TTL);

        var outcome = await(writes.write(id, deploy(), TERMS));

        store.afterFind = () -> {};
        assertThat(outcome).isEqualTo(new WriteOutcome.NotLocked(Optional.empty(), 1));
        assertThat(stored().status()).isEqualTo(IDLE);
        assertThat(heard.notes).contains("lost");
    }

    /** The seed's race: the API's DEPLOYING arrives after a later status was written. */
    @Test
    void aLateWriteIsRefusedByTheVersionAlthoughItBelievesToHoldTheLock() {
        var running = written(await(writes.write(id, deploy(), TERMS)));
        running = written(await(writes.write(id, result(running, RUNNING), TERMS)));
        store.beforeCommit = () -> {
            // Another replica, whose clock says that the lease is over.
            var stopping = RULES.decide(stored(), set(STOPPED), clock.instant())
                    .change()
                    .orElseThrow();
            assertThat(await(store.commit(stopping, clock.instant().plus(RETENTION))))
                    .isTrue();
        };

        var late = await(writes.write(id, deploy(), TERMS));

        assertThat(late).isInstanceOfSatisfying(WriteOutcome.VersionConflict.class, conflict -> assertThat(
                        conflict.service().status())
                .isEqualTo(STOPPED));
        assertThat(stored().status()).isEqualTo(STOPPED);
        assertThat(heard.moves).hasSize(3);
    }

    @Test
    void aDecisionOnAServiceThatWasReadBeforeIsRefusedIfItHasChanged() {
        var old = stored();
        var deploying = written(await(writes.write(id, deploy(), TERMS)));

        var outcome = await(writes.write(old, repair(RUNNING), TERMS));

        assertThat(outcome).isEqualTo(new WriteOutcome.VersionConflict(deploying));
        assertThat(stored()).isEqualTo(deploying);
    }
}
