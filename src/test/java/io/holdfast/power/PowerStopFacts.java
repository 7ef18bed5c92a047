package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.power.action.DatabaseLock;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.port.Actuator;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The last one out turns off the database, and nobody else does. */
interface PowerStopFacts extends InAWorld {
    @Test
    default void ofThreeAppsTheLastOneOutTurnsOffTheDatabase() {
        var a = world().app("a", AppStatus.UP);
        var b = world().app("b", AppStatus.UP);
        var c = world().app("c", AppStatus.UP);

        assertThat(stopped(a).result()).isEqualTo(Result.SKIPPED_SHARED_ACTIVE);
        assertThat(stopped(b).result()).isEqualTo(Result.SKIPPED_SHARED_ACTIVE);
        assertThat(world().database.stops()).isZero();
        assertThat(stopped(c).result()).isEqualTo(Result.STOPPED);
        assertThat(world().database.now()).isEqualTo(Actuator.State.STOPPED);
        assertThat(world().database.stops()).isEqualTo(1);
    }

    /** Each is still up when the other is judged, so neither request stops it; that is done once both are down. */
    @Test
    default void twoAppsThatStopAtTheSameInstantEndWithTheDatabaseStoppedOnce() {
        var a = world().app("a", AppStatus.UP);
        var b = world().app("b", AppStatus.UP);
        var other = new CompletableFuture<Decision>();
        world().whileProbing(b, () -> other.complete(world().replica().stop(b)));

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.SKIPPED_SHARED_ACTIVE);
        assertThat(other.join().result()).isEqualTo(Result.SKIPPED_LOCK);
        world().apps.put(a, AppStatus.DOWN);
        world().apps.put(b, AppStatus.DOWN);
        await(Uni.combine()
                .all()
                .unis(
                        holdfast().reconciler().reconcileAll(),
                        world().replica().reconciler().reconcileAll())
                .asTuple());
        reconcile();

        assertThat(world().database.now()).isEqualTo(Actuator.State.STOPPED);
        assertThat(world().database.stops()).isEqualTo(1);
    }

    @Test
    default void aLockThatStaysHeldSkipsTheStop() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        await(world().locks()
                .acquire(
                        wants(Fixtures.ADA, DatabaseLock.nameOf(world().id)),
                        world().clock.instant()));

        var decision = holdfast().stop(a);

        assertThat(decision.result()).isEqualTo(Result.SKIPPED_LOCK);
        assertThat(decision.reason()).contains("ada", "4 attempts");
        assertThat(world().database.stops()).isZero();
    }

    @Test
    default void aLockLeftByACrashedHolderIsTakenOverOnceItsLeaseIsOver() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        await(world().locks()
                .acquire(
                        wants(Fixtures.ADA, DatabaseLock.nameOf(world().id)),
                        world().clock.instant()));
        world().clock.advance(Fixtures.TTL.plus(Fixtures.SKEW).plusMillis(1));

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOPPED);
    }

    @Test
    default void anUnknownAppPreventsTheStopAndIsNamed() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.UNKNOWN);

        var decision = holdfast().stop(a);

        assertThat(decision.result()).isEqualTo(Result.SKIPPED_UNKNOWN);
        assertThat(decision.reason()).contains("b-");
        assertThat(world().database.stops()).isZero();
    }

    @Test
    default void switchedOffItLeavesSharedDatabasesAloneAndStopsDedicatedOnes() {
        world().settings.with("shared-db-lock-enabled", false);
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.SKIPPED_DISABLED);
        reconcile();
        assertThat(world().database.stops()).isZero();
        world().unlink(b);

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOPPED);
    }

    @Test
    default void aDedicatedDatabaseStopsWithoutALock() {
        var a = world().app("a", AppStatus.UP);
        await(world().locks()
                .acquire(
                        wants(Fixtures.ADA, DatabaseLock.nameOf(world().id)),
                        world().clock.instant()));

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOPPED);
    }

    @Test
    default void aDryRunSaysWhatWouldBeAndChangesNothing() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);

        var decision = await(holdfast().service().stop(a, true)).orElseThrow().getFirst();

        assertThat(decision.result()).isEqualTo(Result.WOULD_STOP);
        assertThat(world().database.orders).isEmpty();
        assertThat(state()).isEqualTo(PowerState.INITIAL);
        assertThat(await(world().store().decisions(world().id, 10, Optional.empty()))
                        .items())
                .isEmpty();
    }

    @Test
    default void stoppingWhatIsStoppedSaysSo() {
        var a = world().app("a", AppStatus.DOWN);
        holdfast().stop(a);

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.ALREADY_STOPPED);
        assertThat(world().database.stops()).isEqualTo(1);
    }

    @Test
    default void everyDecisionIsARowThatSaysWhatWasSeen() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.UP);

        holdfast().stop(a);

        assertThat(await(world().store().decisions(world().id, 10, Optional.empty()))
                        .items())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.result()).isEqualTo(Result.SKIPPED_SHARED_ACTIVE);
                    assertThat(row.by().app()).contains(a);
                    assertThat(row.evidence().token()).isPresent();
                    assertThat(row.evidence().sharers())
                            .containsExactly(new Decision.Seen(b, AppStatus.UP, Optional.empty(), "as the test says"));
                });
    }

    @Test
    default void noMoreThanSoManyStopsAnHour() {
        world().settings.with("max-stops-per-hour", 1);
        var a = world().app("a", AppStatus.DOWN);
        holdfast().stop(a);
        holdfast().start(a);

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.SKIPPED_DISABLED);
        world().clock.advance(Duration.ofHours(1).plusMillis(1));
        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOPPED);
    }

    @Test
    default void whilePausedNothingStops() {
        var a = world().app("a", AppStatus.DOWN);
        await(holdfast().service().pause(Optional.of("migration")));

        assertThat(holdfast().stop(a).reason()).contains("migration");
        await(holdfast().service().pause(Optional.empty()));
        reconcile();

        assertThat(world().database.now()).isEqualTo(Actuator.State.STOPPED);
    }

    @Test
    default void aDryRunAsksTheBrake() {
        var a = world().app("a", AppStatus.DOWN);
        await(holdfast().service().pause(Optional.of("migration")));

        var decision = await(holdfast().service().stop(a, true)).orElseThrow().getFirst();

        assertThat(decision.result()).isEqualTo(Result.SKIPPED_DISABLED);
        assertThat(decision.reason()).contains("migration");
    }

    @Test
    default void aStopThatIsRefusedSaysWhyAndLeavesEverythingAsItWas() {
        var a = world().app("a", AppStatus.DOWN);
        world().settings.with("max-stops-per-hour", 1);
        world().database.answersNext(new Actuator.Outcome.Refused("it is protected against stopping"));

        assertThat(holdfast().stop(a).reason()).startsWith("it is protected against stopping");
        assertThat(state().phase()).isEqualTo(Phase.UNDECIDED);
        assertThat(await(world().store().brake()).stops()).isEmpty();
        for (var look = 0; look < 3; look++) {
            reconcile();
        }
        assertThat(world().database.stops()).isEqualTo(1);

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOPPED);
    }

    @Test
    default void aStopThatCannotBeOrderedNowIsOrderedAgain() {
        var a = world().app("a", AppStatus.DOWN);
        world().database.answersNext(new Actuator.Outcome.Retry("throttled"));

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOP_FAILED);
        world().clock.advance(world().settings.lockTtl().plusMillis(1));
        reconcile();

        assertThat(world().database.epochs)
                .hasSize(2)
                .containsOnly(world().database.epochs.getFirst());
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    default void aSimulatedDatabaseSaysSoInEveryAnswer() {
        var a = world().app("a", AppStatus.DOWN);

        assertThat(List.of(holdfast().stop(a), holdfast().stop(a), holdfast().start(a)))
                .allSatisfy(decision -> assertThat(decision.reason()).contains("simulated"));
    }
}
