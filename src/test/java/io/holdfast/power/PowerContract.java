package io.holdfast.power;

import static io.holdfast.lock.Fixtures.await;
import static io.holdfast.lock.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.Fixtures;
import io.holdfast.power.AppProbe.Status;
import io.holdfast.power.Decision.What;
import io.holdfast.registry.AppName;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stopping and starting a shared database, and every race that there is about it, step by step. */
public abstract class PowerContract {
    /** A fresh world on an empty store. */
    protected abstract World world();

    private World world;
    private World.Replica holdfast;

    @BeforeEach
    void begin() {
        world = world();
        holdfast = world.replica();
    }

    // The seed's scenarios.

    @Test
    void ofThreeAppsTheLastOneOutTurnsOffTheDatabase() {
        var a = world.app("a", Status.UP);
        var b = world.app("b", Status.UP);
        var c = world.app("c", Status.UP);

        assertThat(stopped(a).what()).isEqualTo(What.SKIPPED_SHARED_ACTIVE);
        assertThat(stopped(b).what()).isEqualTo(What.SKIPPED_SHARED_ACTIVE);
        assertThat(world.database.stops()).isZero();
        assertThat(stopped(c).what()).isEqualTo(What.STOPPED);
        assertThat(world.database.now()).isEqualTo(Actuator.State.STOPPED);
        assertThat(world.database.stops()).isEqualTo(1);
    }

    /** Each sees the other up, so neither request stops it; the reconciler does once both are down. */
    @Test
    void twoAppsThatStopAtTheSameInstantEndWithTheDatabaseStoppedOnce() {
        var a = world.app("a", Status.UP);
        var b = world.app("b", Status.UP);

        var both = await(Uni.combine()
                .all()
                .unis(
                        holdfast.service().stop(a, false),
                        world.replica().service().stop(b, false))
                .asTuple());
        world.apps.put(a, Status.DOWN);
        world.apps.put(b, Status.DOWN);
        await(Uni.combine()
                .all()
                .unis(
                        holdfast.reconciler().reconcileAll(),
                        world.replica().reconciler().reconcileAll())
                .asTuple());
        await(holdfast.reconciler().reconcileAll());

        assertThat(List.of(both.getItem1().orElseThrow(), both.getItem2().orElseThrow()))
                .allSatisfy(decisions -> assertThat(decisions.getFirst().what())
                        .isIn(What.SKIPPED_SHARED_ACTIVE, What.SKIPPED_LOCK, What.SKIPPED_CHANGED));
        assertThat(world.database.now()).isEqualTo(Actuator.State.STOPPED);
        assertThat(world.database.stops()).isEqualTo(1);
    }

    @Test
    void aLockThatStaysHeldSkipsTheStop() {
        var a = world.app("a", Status.DOWN);
        world.app("b", Status.DOWN);
        await(world.locks().acquire(wants(Fixtures.ADA, DatabaseLock.nameOf(world.id)), world.clock.instant()));

        var decision = holdfast.stop(a);

        assertThat(decision.what()).isEqualTo(What.SKIPPED_LOCK);
        assertThat(decision.reason()).contains("ada", "4 attempts");
        assertThat(world.database.stops()).isZero();
    }

    @Test
    void aLockLeftByACrashedHolderIsTakenOverOnceItsLeaseIsOver() {
        var a = world.app("a", Status.DOWN);
        world.app("b", Status.DOWN);
        await(world.locks().acquire(wants(Fixtures.ADA, DatabaseLock.nameOf(world.id)), world.clock.instant()));
        world.clock.advance(Fixtures.TTL.plus(Fixtures.SKEW).plusMillis(1));

        assertThat(holdfast.stop(a).what()).isEqualTo(What.STOPPED);
    }

    @Test
    void anUnknownAppPreventsTheStopAndIsNamed() {
        var a = world.app("a", Status.DOWN);
        world.app("b", Status.UNKNOWN);

        var decision = holdfast.stop(a);

        assertThat(decision.what()).isEqualTo(What.SKIPPED_UNKNOWN);
        assertThat(decision.reason()).contains("b-");
        assertThat(world.database.stops()).isZero();
    }

    @Test
    void switchedOffItLeavesSharedDatabasesAloneAndStopsDedicatedOnes() {
        world.settings.with("shared-db-lock-enabled", false);
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.DOWN);

        assertThat(holdfast.stop(a).what()).isEqualTo(What.SKIPPED_DISABLED);
        await(holdfast.reconciler().reconcileAll());
        assertThat(world.database.stops()).isZero();
        world.unlink(b);

        assertThat(holdfast.stop(a).what()).isEqualTo(What.STOPPED);
    }

    @Test
    void aDedicatedDatabaseStopsWithoutALock() {
        var a = world.app("a", Status.UP);
        await(world.locks().acquire(wants(Fixtures.ADA, DatabaseLock.nameOf(world.id)), world.clock.instant()));

        assertThat(holdfast.stop(a).what()).isEqualTo(What.STOPPED);
    }

    @Test
    void aDryRunSaysWhatWouldBeAndChangesNothing() {
        var a = world.app("a", Status.DOWN);
        world.app("b", Status.DOWN);

        var decision = await(holdfast.service().stop(a, true)).orElseThrow().getFirst();

        assertThat(decision.what()).isEqualTo(What.WOULD_STOP);
        assertThat(world.database.orders).isEmpty();
        assertThat(state()).isEqualTo(PowerState.INITIAL);
        assertThat(await(world.store().decisions(world.id, 10, Optional.empty()))
                        .items())
                .isEmpty();
    }

    @Test
    void stoppingWhatIsStoppedSaysSo() {
        var a = world.app("a", Status.DOWN);
        holdfast.stop(a);

        assertThat(holdfast.stop(a).what()).isEqualTo(What.ALREADY_STOPPED);
        assertThat(world.database.stops()).isEqualTo(1);
    }

    // Starting.

    @Test
    void aStartBringsTheDatabaseBack() {
        var a = world.app("a", Status.DOWN);
        holdfast.stop(a);

        assertThat(holdfast.start(a).what()).isEqualTo(What.STARTED);
        assertThat(world.database.now()).isEqualTo(Actuator.State.RUNNING);
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
        assertThat(holdfast.start(a).what()).isEqualTo(What.RUNNING);
    }

    @Test
    void anAppThatHasStartedKeepsTheDatabaseUpWhileItIsStillDown() {
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.DOWN);
        holdfast.start(a);

        assertThat(holdfast.stop(b).reason()).startsWith("shared with starting apps: a-");
        world.clock.advance(world.settings.hold());
        reconcileUntilPatienceEnds();

        assertThat(world.database.now()).isEqualTo(Actuator.State.STOPPED);
    }

    @Test
    void anAppThatOnlyRestartsKeepsItsDatabase() {
        var a = world.app("a", Status.UP);
        var b = world.app("b", Status.UP);
        stopped(a);

        world.apps.put(b, Status.DOWN);
        await(holdfast.reconciler().reconcileAll());
        world.clock.advance(world.settings.downFor().minusMillis(1));
        await(holdfast.reconciler().reconcileAll());
        world.apps.put(b, Status.UP);
        await(holdfast.reconciler().reconcileAll());
        world.apps.put(b, Status.DOWN);
        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.stops()).isZero();
        world.clock.advance(world.settings.downFor());
        await(holdfast.reconciler().reconcileAll());
        assertThat(world.database.stops()).isEqualTo(1);
    }

    /** What an app did while nobody looked is not known. */
    @Test
    void aReplicaThatHasNotLookedForLongBeginsAnewToWait() {
        var a = world.app("a", Status.UP);
        var b = world.app("b", Status.UP);
        stopped(a);
        world.apps.put(b, Status.DOWN);
        await(holdfast.reconciler().reconcileAll());

        world.clock.advance(world.settings.downFor().plusMillis(1));
        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.stops()).isZero();
    }

    @Test
    void theSameAgainIsNoDecision() {
        var a = world.app("a", Status.UP);
        world.app("b", Status.UP);
        stopped(a);
        for (var look = 0; look < 3; look++) {
            await(holdfast.reconciler().reconcileAll());
        }

        assertThat(world.decisions).hasSize(2);
    }

    @Test
    void anAppThatLeavesMakesRoomForTheStopAtOnce() {
        var a = world.app("a", Status.UP);
        var b = world.app("b", Status.UP);
        stopped(a);

        await(world.registryOf(holdfast).removeApp(b));

        Awaitility.await().until(() -> state().phase() == Phase.STOPPED);
        assertThat(world.database.stops()).isEqualTo(1);
    }

    @Test
    void appsThatComeAndGoLeaveNothingBehindButTheLastWish() {
        world.app("stays", Status.UP);
        for (var visitor : List.of("a", "b", "c")) {
            var app = world.app(visitor, Status.UP);
            holdfast.start(app);
            stopped(app);
            world.clock.advance(Duration.ofSeconds(1));
            world.unlink(app);
        }
        var starting = world.app("d", Status.DOWN);
        holdfast.start(starting);
        world.unlink(starting);

        await(holdfast.reconciler().reconcileAll());

        assertThat(state().intents().holds()).isEmpty();
        assertThat(state().intents().wishes().keySet()).singleElement().satisfies(app -> assertThat(app.value())
                .startsWith("c-"));
    }

    @Test
    void aDatabaseRegisteredOnceMoreBeginsAnewAndItsEpochsGoOnRising() {
        var a = world.app("a", Status.DOWN);
        holdfast.stop(a);
        world.unlink(a);
        var database =
                await(world.registry().findDatabase(world.id)).orElseThrow().database();
        await(world.registry().removeDatabase(world.id));
        await(world.registry().putDatabase(database));
        world.database.becomes(Actuator.State.RUNNING);
        world.clock.advance(Duration.ofSeconds(1));

        assertThat(state()).isEqualTo(PowerState.INITIAL);
        world.link(a);
        assertThat(holdfast.stop(a).what()).isEqualTo(What.STOPPED);
        assertThat(world.database.epochs).hasSize(2).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aDatabaseThatWentDownWhileAnAppHoldsItIsStartedAgain() {
        var a = world.app("a", Status.DOWN);
        holdfast.start(a);
        world.database.becomes(Actuator.State.STOPPED);

        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.now()).isEqualTo(Actuator.State.RUNNING);
    }

    // Races between look and commit.

    @Test
    void anAppThatRegistersBetweenLookAndCommitPreventsTheStop() {
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.DOWN);
        world.whileProbing(b, () -> world.app("c", Status.UP));

        assertThat(holdfast.stop(a).what()).isEqualTo(What.SKIPPED_CHANGED);
        assertThat(world.database.stops()).isZero();
    }

    @Test
    void anAppThatStartsBetweenLookAndCommitPreventsTheStop() {
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.DOWN);
        world.whileProbing(b, () -> {
            var until = world.clock.instant().plus(world.settings.hold());
            await(world.store().hold(world.id, b, until, world.clock.instant()));
        });

        assertThat(holdfast.stop(a).what()).isEqualTo(What.SKIPPED_CHANGED);
        assertThat(world.database.stops()).isZero();
    }

    @Test
    void aLeaseThatRunsOutDuringTheProbePreventsTheStop() {
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.DOWN);
        world.whileProbing(b, () -> world.clock.advance(world.settings.lockTtl()));

        assertThat(holdfast.stop(a).what()).isEqualTo(What.SKIPPED_LOCK);
        assertThat(world.database.stops()).isZero();
        assertThat(state().phase()).isEqualTo(Phase.UNDECIDED);
    }

    // Races behind the commit.

    @Test
    void anAppThatStartsBetweenCommitAndAnswerGetsItsDatabaseBack() {
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.DOWN);
        world.database.onStop(() -> {
            var until = world.clock.instant().plus(world.settings.hold());
            await(world.store().hold(world.id, b, until, world.clock.instant()));
        });

        assertThat(holdfast.stop(a).what()).isEqualTo(What.STOPPED);
        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.orders).containsExactly("stop", "start");
        assertThat(world.database.now()).isEqualTo(Actuator.State.RUNNING);
    }

    /** The server dies after the commit; the order never left. */
    @Test
    void aStopCommittedByADeadServerIsOrderedByItsSuccessor() {
        var a = world.app("a", Status.DOWN);
        world.app("b", Status.DOWN);
        commitAndDie(world.replica(new DeadActuator(world.database, false)), a);

        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    /** The server dies after its order was carried out. */
    @Test
    void aStopCarriedOutForADeadServerIsNotOrderedAgain() {
        var a = world.app("a", Status.DOWN);
        world.app("b", Status.DOWN);
        commitAndDie(world.replica(new DeadActuator(world.database, true)), a);

        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    void aStopCommittedLongAgoByADeadServerIsTriedBeforeItIsSaidToBeStuck() {
        var a = world.app("a", Status.DOWN);
        world.app("b", Status.DOWN);
        commitAndDie(world.replica(new DeadActuator(world.database, false)), a);
        world.clock.advance(world.settings.stopMax().plusMillis(1));

        await(holdfast.reconciler().reconcileAll());

        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    void anAppThatRegistersWhileAStopIsLookedAtAgainPreventsItsOrder() {
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.DOWN);
        commitAndDie(world.replica(new DeadActuator(world.database, false)), a);
        world.whileProbing(b, () -> world.app("c", Status.UP));

        await(holdfast.reconciler().reconcileAll());
        assertThat(world.database.orders).isEmpty();
        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.orders).isEmpty();
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
    }

    /** Whoever slept has lost its lock: somebody else may have decided otherwise. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatSleepsBetweenCommitAndOrderOrdersNothing(boolean shared) {
        var a = world.app("a", Status.DOWN);
        if (shared) {
            world.app("b", Status.DOWN);
        }
        var sleepy = world.replica(World.withCommit(
                world.store(),
                commit -> commit.invoke(() -> world.clock.advance(world.settings
                        .lockTtl()
                        .minus(world.settings.leaseMargin())
                        .plusMillis(1)))));

        assertThat(sleepy.stop(a).what()).isEqualTo(What.STOPPING);
        assertThat(world.database.orders).isEmpty();
        world.clock.advance(world.settings.lockTtl());
        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    void aCommitWhoseAnswerIsLostIsCarriedOutOnceByWhoeverLooksNext() {
        var a = world.app("a", Status.DOWN);
        world.app("b", Status.DOWN);
        var unlucky = world.replica(World.withCommit(
                world.store(),
                commit -> commit.chain(
                        () -> Uni.createFrom().failure(new StoreUnavailableException("The answer was lost.")))));

        assertThat(unlucky.stop(a).what()).isEqualTo(What.STOP_FAILED);
        assertThat(world.database.orders).isEmpty();
        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    void manyReplicasThatJudgeAtOnceOrderOneStop() {
        var apps = Stream.of("a", "b", "c", "d")
                .map(word -> world.app(word, Status.DOWN))
                .toList();

        await(Uni.join()
                .all(apps.stream()
                        .map(app -> world.replica().service().stop(app, false))
                        .toList())
                .andFailFast());
        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    void aStopCommittedByADeadServerIsCalledOffWhenAnAppCameUpSince() {
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.DOWN);
        commitAndDie(world.replica(new DeadActuator(world.database, false)), a);
        world.apps.put(b, Status.UP);

        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.orders).isEmpty();
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aStopThatIsAcceptedAndNeverEndsIsStuckAndSaidToBe() {
        var a = world.app("a", Status.DOWN);
        world.app("b", Status.DOWN);
        world.database.hangsWhenStopped();

        assertThat(holdfast.stop(a).what()).isEqualTo(What.STOPPING);
        world.clock.advance(world.settings.stopMax().plusMillis(1));
        await(holdfast.reconciler().reconcileAll());
        assertThat(state().phase()).isEqualTo(Phase.STOP_STUCK);
        assertThat(holdfast.stop(a).what()).isEqualTo(What.STOP_STUCK);
        assertThat(world.database.stops()).isEqualTo(1);

        world.database.becomes(Actuator.State.STOPPED);
        await(holdfast.reconciler().reconcileAll());
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    void aStartQueuesBehindAStopThatIsUnderWay() {
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.DOWN);
        world.database.hangsWhenStopped();
        holdfast.stop(a);

        assertThat(holdfast.start(b).what()).isEqualTo(What.STARTING);
        assertThat(world.database.orders).containsExactly("stop");
        world.database.becomes(Actuator.State.STOPPED);
        await(holdfast.reconciler().reconcileAll());
        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.orders).containsExactly("stop", "start");
    }

    // Brakes.

    @Test
    void noMoreThanSoManyStopsAnHour() {
        world.settings.with("max-stops-per-hour", 1);
        var a = world.app("a", Status.DOWN);
        holdfast.stop(a);
        holdfast.start(a);

        assertThat(holdfast.stop(a).what()).isEqualTo(What.SKIPPED_DISABLED);
        world.clock.advance(Duration.ofHours(1).plusMillis(1));
        assertThat(holdfast.stop(a).what()).isEqualTo(What.STOPPED);
    }

    @Test
    void whilePausedNothingStops() {
        var a = world.app("a", Status.DOWN);
        await(holdfast.service().pause(Optional.of("migration")));

        assertThat(holdfast.stop(a).reason()).contains("migration");
        await(holdfast.service().pause(Optional.empty()));
        await(holdfast.reconciler().reconcileAll());

        assertThat(world.database.now()).isEqualTo(Actuator.State.STOPPED);
    }

    @Test
    void everyDecisionIsARowThatSaysWhatWasSeen() {
        var a = world.app("a", Status.DOWN);
        var b = world.app("b", Status.UP);

        holdfast.stop(a);

        assertThat(await(world.store().decisions(world.id, 10, Optional.empty()))
                        .items())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.what()).isEqualTo(What.SKIPPED_SHARED_ACTIVE);
                    assertThat(row.by().app()).contains(a);
                    assertThat(row.evidence().token()).isPresent();
                    assertThat(row.evidence().sharers())
                            .containsExactly(new Decision.Seen(b, Status.UP, Optional.empty(), "as the test says"));
                });
    }

    private Decision stopped(AppName app) {
        var decision = holdfast.stop(app);
        world.apps.put(app, Status.DOWN);
        return decision;
    }

    /** Looks often enough, for long enough, to believe that an app which never asked to stop is down. */
    private void reconcileUntilPatienceEnds() {
        await(holdfast.reconciler().reconcileAll());
        world.clock.advance(world.settings.downFor());
        await(holdfast.reconciler().reconcileAll());
    }

    private PowerState state() {
        return await(world.store().look(world.id)).orElseThrow().state();
    }

    /** Runs until the actuator is called, and never goes on; its lock is left to expire. */
    private void commitAndDie(World.Replica dying, AppName app) {
        dying.service().stop(app, false).subscribeAsCompletionStage();
        Awaitility.await().until(() -> state().phase() == Phase.STOPPING);
        world.clock.advance(world.settings.lockTtl().plus(Fixtures.SKEW).plusMillis(1));
    }
}
