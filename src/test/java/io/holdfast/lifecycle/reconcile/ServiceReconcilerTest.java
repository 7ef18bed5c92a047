package io.holdfast.lifecycle.reconcile;

import static io.holdfast.lifecycle.model.ServiceStatus.CRASHING;
import static io.holdfast.lifecycle.model.ServiceStatus.DEPLOYING;
import static io.holdfast.lifecycle.model.ServiceStatus.FAILED;
import static io.holdfast.lifecycle.model.ServiceStatus.IDLE;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.model.ServiceStatus.STOPPED;
import static io.holdfast.lifecycle.port.LifecycleFixtures.DEADLINE;
import static io.holdfast.lifecycle.port.LifecycleFixtures.RETENTION;
import static io.holdfast.lifecycle.port.LifecycleFixtures.RULES;
import static io.holdfast.lifecycle.port.LifecycleFixtures.anId;
import static io.holdfast.lifecycle.port.LifecycleFixtures.deploy;
import static io.holdfast.lifecycle.port.LifecycleFixtures.registration;
import static io.holdfast.lifecycle.port.LifecycleFixtures.result;
import static io.holdfast.lifecycle.port.LifecycleFixtures.seen;
import static io.holdfast.lifecycle.port.LifecycleFixtures.set;
import static io.holdfast.lifecycle.port.LifecycleFixtures.written;
import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lifecycle.action.MoveSignal;
import io.holdfast.lifecycle.action.StatusLock;
import io.holdfast.lifecycle.action.StatusLockTerms;
import io.holdfast.lifecycle.action.StatusWrites;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.lifecycle.port.FakeLifecycleStore;
import io.holdfast.lifecycle.port.HeardLifecycle;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.reconcile.ServiceReconciler.Pass;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.election.Election;
import io.holdfast.lock.election.Leadership;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.RulesStore;
import io.holdfast.lock.port.RulesStore.Call;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.registry.ProbePolicy;
import io.smallrye.mutiny.Uni;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ServiceReconcilerTest {
    private static final Duration TTL = Duration.ofSeconds(90);
    private static final int STEP = 10;
    private static final int PARALLEL = 4;
    private static final StatusLockTerms ONCE =
            new StatusLockTerms(Duration.ofSeconds(5), 1, Duration.ZERO, Duration.ZERO, Duration.ofMillis(500), 1);

    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final RulesStore locks = new RulesStore(Fixtures.RULES);
    private final FakeLifecycleStore store = new FakeLifecycleStore();
    private final HeardLifecycle heard = new HeardLifecycle();
    private final Map<ServiceId, Observation.State> seen = new ConcurrentHashMap<>();
    private final AtomicInteger looks = new AtomicInteger();
    private Runnable whileLooking = () -> {};
    private final StatusWrites writes = writes();
    private final ServiceReconciler reconciler = replica();

    private StatusWrites writes() {
        var service = TestLimits.service(locks, clock, timers, new LeaseRenewers(locks, clock, timers));
        var lock = new StatusLock(service, timers, clock, heard);
        return new StatusWrites(store, lock, RULES, RETENTION, clock, heard, new MoveSignal());
    }

    private ServiceReconciler replica() {
        var leadership = new Leadership(ServiceReconciler.TASK, TTL, locks, clock, new Cleanup(clock, timers, 10));
        return new ServiceReconciler(
                store,
                (service, now) -> observe(service),
                writes,
                new ReconcileTerms(STEP, PARALLEL, TTL, ONCE),
                clock,
                heard,
                leadership);
    }

    private Uni<Observation> observe(Service service) {
        looks.incrementAndGet();
        whileLooking.run();
        return Uni.createFrom().item(seen(seen.getOrDefault(service.id(), Observation.State.UNKNOWN)));
    }

    private ServiceId register(Observation.State state) {
        var id = anId();
        assertThat(await(writes.commit(registration(id, clock.instant())))).isTrue();
        seen.put(id, state);
        return id;
    }

    private Service write(ServiceId id, StatusWrite write) {
        return written(await(writes.write(id, write, ONCE)));
    }

    private Service stored(ServiceId id) {
        return await(store.find(id)).orElseThrow();
    }

    private ServiceId running(Observation.State state) {
        var id = register(state);
        write(id, result(write(id, deploy()), RUNNING));
        return id;
    }

    @Test
    void aStatusThatDiffersFromWhatIsSeenIsRepairedAndTheRowSaysWhatWasSeen() {
        var id = running(Observation.State.ABSENT);

        var pass = await(reconciler.pass());

        assertThat(stored(id).status()).isEqualTo(STOPPED);
        var row = await(store.history(id, 1, Optional.empty())).items().getFirst();
        assertThat(row.from()).contains(RUNNING);
        assertThat(row.to()).contains(STOPPED);
        assertThat(row.cause().by()).isEqualTo(Writer.RECONCILER);
        assertThat(row.cause().seen()).contains(seen(Observation.State.ABSENT));
        assertThat(((Pass.Done) pass).counts().repaired()).isEqualTo(1);
    }

    @Test
    void aServiceThatNeedsNoRepairCostsNoLock() {
        running(Observation.State.RUNNING);
        running(Observation.State.UNKNOWN);
        register(Observation.State.STOPPED);
        await(reconciler.pass());
        var asked = locks.count(Call.ACQUIRE);
        var moves = heard.moves.size();

        await(reconciler.pass());

        assertThat(locks.count(Call.ACQUIRE)).isEqualTo(asked);
        assertThat(heard.moves).hasSize(moves);
    }

    @Test
    void aDeploymentIsNeitherObservedNorRepairedBeforeItsDeadline() {
        var id = register(Observation.State.RUNNING);
        write(id, deploy());
        clock.advance(DEADLINE.minusMillis(1));

        await(reconciler.pass());

        assertThat(looks).hasValue(0);
        assertThat(stored(id).status()).isEqualTo(DEPLOYING);
    }

    @Test
    void aDeploymentPastItsDeadlineIsRepairedToWhatIsSeen() {
        var up = register(Observation.State.RUNNING);
        var gone = register(Observation.State.ABSENT);
        var crashing = register(Observation.State.CRASHING);
        var unknown = register(Observation.State.UNKNOWN);
        var late = write(up, deploy());
        write(gone, deploy());
        write(crashing, deploy());
        write(unknown, deploy());
        clock.advance(DEADLINE);

        var pass = await(reconciler.pass());

        assertThat(stored(up).status()).isEqualTo(RUNNING);
        assertThat(stored(gone).status()).isEqualTo(FAILED);
        assertThat(stored(crashing).status()).isEqualTo(CRASHING);
        assertThat(stored(unknown).status()).isEqualTo(DEPLOYING);
        assertThat(((Pass.Done) pass).counts().overdue()).isEqualTo(1);
        assertThat(await(writes.write(up, result(late, FAILED), ONCE)))
                .as("the late result of its worker")
                .hasFieldOrPropertyWithValue("service", stored(up));
        assertThat(stored(up).status()).isEqualTo(RUNNING);
    }

    /** The observation is older than the status, so it says nothing about it. */
    @Test
    void aStatusThatIsWrittenWhileTheServiceIsObservedIsNotOverwritten() {
        var id = running(Observation.State.STOPPED);
        whileLooking = () -> {
            whileLooking = () -> {};
            write(id, deploy());
        };

        await(reconciler.pass());

        assertThat(stored(id).status()).isEqualTo(DEPLOYING);
        assertThat(heard.notes).contains("not repaired: STATUS_CHANGED");
    }

    /** What was seen of the earlier address says nothing about the present one. */
    @Test
    void aServiceThatIsRegisteredWithAnotherObservationMeanwhileIsNotRepaired() {
        var id = running(Observation.State.STOPPED);
        whileLooking = () -> {
            whileLooking = () -> {};
            var elsewhere = new ObserveSpec.Url(URI.create("https://example.com/"), ProbePolicy.HTTP_200);
            await(store.replaceSpec(id, new ServiceSpec(elsewhere, Optional.empty())));
        };

        await(reconciler.pass());

        assertThat(stored(id).status()).isEqualTo(RUNNING);
        assertThat(heard.notes).contains("not repaired: STATUS_CHANGED");
    }

    /** The process sleeps. Meanwhile another replica may have become the leader, and the service may have recovered. */
    @Test
    void anObservationFromBeforeALongPauseRepairsNothing() {
        var id = running(Observation.State.STOPPED);
        whileLooking = () -> clock.advance(TTL);

        await(reconciler.pass());

        assertThat(stored(id).status()).isEqualTo(RUNNING);
        assertThat(heard.notes).contains("not repaired: OBSERVED_TOO_LONG_AGO");
    }

    @Test
    void aReplicaThatIsNoLongerElectedRepairsNothing() {
        var id = running(Observation.State.STOPPED);
        var election = Election.lockOf(ServiceReconciler.TASK);
        whileLooking = () -> {
            clock.advance(TTL.dividedBy(2));
            var led = await(locks.find(election)).orElseThrow();
            await(locks.forceRelease(force(election, led.token()), clock.instant()));
        };

        await(reconciler.pass());

        assertThat(stored(id).status()).isEqualTo(RUNNING);
        assertThat(heard.notes).contains("not repaired: NOT_ELECTED");
    }

    @Test
    void anOverdueDeploymentWhoseLockIsHeldIsStillOverdueAfterThePass() {
        var id = register(Observation.State.ABSENT);
        write(id, deploy());
        clock.advance(DEADLINE);
        await(locks.acquire(wants(ADA, id.lock()), clock.instant()));

        var pass = await(reconciler.pass());

        assertThat(stored(id).status()).isEqualTo(DEPLOYING);
        assertThat(((Pass.Done) pass).counts().overdue()).isEqualTo(1);
    }

    @Test
    void aServiceWhoseLockIsHeldIsSkippedAndTheNextPassRepairsIt() {
        var id = running(Observation.State.STOPPED);
        var held = wants(ADA, id.lock());
        await(locks.acquire(held, clock.instant()));

        await(reconciler.pass());
        assertThat(stored(id).status()).isEqualTo(RUNNING);
        assertThat(heard.notes).contains("not repaired: LOCK_HELD");

        await(locks.release(held.ref(), clock.instant()));
        await(reconciler.pass());
        assertThat(stored(id).status()).isEqualTo(STOPPED);
    }

    @Test
    void twoReplicasDoNotBothDoIt() {
        running(Observation.State.RUNNING);
        var other = replica();

        assertThat(await(reconciler.pass())).isInstanceOf(Pass.Done.class);
        assertThat(await(other.pass())).isInstanceOf(Pass.NotElected.class);
        clock.advance(Duration.ofSeconds(30));
        assertThat(await(other.pass())).isInstanceOf(Pass.NotElected.class);
        assertThat(await(reconciler.pass())).isInstanceOf(Pass.Done.class);
        reconciler.stop();
        assertThat(await(other.pass())).isInstanceOf(Pass.Done.class);
    }

    @Test
    void aPausedReconcilerLooksAtNothing() {
        var id = running(Observation.State.STOPPED);
        await(store.setPause(Optional.of("cluster upgrade")));

        assertThat(await(reconciler.pass())).isEqualTo(new Pass.Paused("cluster upgrade"));
        assertThat(looks).hasValue(0);
        assertThat(stored(id).status()).isEqualTo(RUNNING);

        await(store.setPause(Optional.empty()));
        await(reconciler.pass());
        assertThat(stored(id).status()).isEqualTo(STOPPED);
    }

    @Test
    void aPauseTakesEffectDuringAPass() {
        for (var i = 0; i < 10 * STEP; i++) {
            running(Observation.State.RUNNING);
        }
        whileLooking = () -> await(store.setPause(Optional.of("enough")));

        assertThat(await(reconciler.pass())).isEqualTo(new Pass.Interrupted());
        assertThat(looks).hasValueLessThanOrEqualTo(STEP);
    }

    @Test
    void aSuspectClockEndsNoDeployment() {
        var id = register(Observation.State.RUNNING);
        write(id, deploy());
        clock.advance(DEADLINE);
        store.trustsClock = false;

        assertThat(await(reconciler.pass())).isEqualTo(new Pass.Interrupted());
        assertThat(stored(id).status()).isEqualTo(DEPLOYING);
    }

    @Test
    void oneServiceThatFailsDoesNotKeepTheOthersFromTheirRepair() {
        var first = running(Observation.State.STOPPED);
        var second = running(Observation.State.STOPPED);
        var failOnce = new AtomicInteger();
        whileLooking = () -> {
            if (failOnce.getAndIncrement() == 0) {
                throw new IllegalStateException("broken record");
            }
        };

        var pass = (Pass.Done) await(reconciler.pass());

        assertThat(pass.failed()).isEqualTo(1);
        assertThat(pass.counts().repaired()).isEqualTo(1);
        assertThat(stored(first).status() == STOPPED)
                .isNotEqualTo(stored(second).status() == STOPPED);
        await(reconciler.pass());
        assertThat(stored(first).status()).isEqualTo(STOPPED);
        assertThat(stored(second).status()).isEqualTo(STOPPED);
    }

    @Test
    void tenThousandServicesAreReadInPagesAndObservedAFewAtATime() {
        for (var i = 0; i < 10_000; i++) {
            register(Observation.State.STOPPED);
        }
        var atOnce = new AtomicInteger();
        var mostAtOnce = new AtomicInteger();
        var gate = new CompletableFuture<Observation>();
        var counted = new ServiceReconciler(
                store,
                (service, now) -> Uni.createFrom()
                        .completionStage(() -> {
                            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                            return gate;
                        })
                        .invoke(atOnce::decrementAndGet),
                writes,
                new ReconcileTerms(STEP, PARALLEL, TTL, ONCE),
                clock,
                heard,
                new Leadership("other", TTL, locks, clock, new Cleanup(clock, timers, 10)));

        var pass = counted.pass().subscribeAsCompletionStage();
        assertThat(mostAtOnce).hasValue(PARALLEL);
        assertThat(store.pages).as("the second page is read after the first").hasValue(1);
        gate.complete(seen(Observation.State.STOPPED));

        var done = (Pass.Done) await(Uni.createFrom().completionStage(pass));
        assertThat(done.counts().byStatus()).isEqualTo(Map.of(IDLE, 10_000));
        assertThat(store.pages.get()).isBetween(10_000 / STEP, 10_000 / STEP + 4);
    }

    @Test
    void theCountsAreUnknownWhereAnotherReplicaCounts() {
        await(replica().pass());

        await(reconciler.pass());

        assertThat(heard.notes).contains("not counted: NOT_ELECTED");
        assertThat(heard.counts).hasSize(1);
    }

    @Test
    void aCallerMayStopWhatRuns() {
        var id = running(Observation.State.STOPPED);
        write(id, set(STOPPED));
        var moves = heard.moves.size();

        await(reconciler.pass());

        assertThat(heard.moves).hasSize(moves);
    }
}
