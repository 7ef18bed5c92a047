package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.action.DatabaseLock;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.port.Actuator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Looking again: what is wished and what is half done comes to its end. */
interface ReconcilerFacts extends InAWorld {
    String SIMULATED = " (simulated: there is no real database)";

    @Test
    default void anAppThatOnlyRestartsKeepsItsDatabase() {
        var a = world().app("a", AppStatus.UP);
        var b = world().app("b", AppStatus.UP);
        stopped(a);

        world().apps.put(b, AppStatus.DOWN);
        reconcile();
        world().clock.advance(world().settings.downFor().minusMillis(1));
        reconcile();
        world().apps.put(b, AppStatus.UP);
        reconcile();
        world().apps.put(b, AppStatus.DOWN);
        reconcile();

        assertThat(world().database.stops()).isZero();
        world().clock.advance(world().settings.downFor());
        reconcile();
        assertThat(world().database.stops()).isEqualTo(1);
    }

    @Test
    default void aReplicaThatHasNotLookedForLongBeginsAnewToWait() {
        var a = world().app("a", AppStatus.UP);
        var b = world().app("b", AppStatus.UP);
        stopped(a);
        world().apps.put(b, AppStatus.DOWN);
        reconcile();

        world().clock.advance(world().settings.downFor().multipliedBy(2).plusMillis(1));
        reconcile();

        assertThat(world().database.stops()).isZero();
    }

    @Test
    default void theSameAgainIsNoDecision() {
        var a = world().app("a", AppStatus.UP);
        world().app("b", AppStatus.UP);
        stopped(a);
        for (var look = 0; look < 3; look++) {
            reconcile();
        }

        assertThat(world().decisions).hasSize(1);
    }

    /** Each replica has said its word before; what is shown must be what was seen last. */
    @Test
    default void whatKeepsItUpIsTrueAfterAnotherReplicaHasLooked() {
        var a = world().app("a", AppStatus.UP);
        var b = world().app("b", AppStatus.UP);
        var other = world().replica();
        stopped(a);
        assertThat(blockers()).containsExactly("SKIPPED_SHARED_ACTIVE: shared with active apps: " + b + SIMULATED);

        world().clock.advance(Duration.ofSeconds(1));
        world().apps.put(b, AppStatus.UNKNOWN);
        await(other.reconciler().reconcile(world().id));
        assertThat(blockers()).singleElement().asString().startsWith("SKIPPED_UNKNOWN: ");

        world().clock.advance(Duration.ofSeconds(1));
        world().apps.put(b, AppStatus.UP);
        reconcile();
        assertThat(blockers()).containsExactly("SKIPPED_SHARED_ACTIVE: shared with active apps: " + b + SIMULATED);
        assertThat(world().decisions).hasSize(3);
    }

    /** Rows are kept for weeks: a replica that was restarted repeats nothing. */
    @Test
    default void theSameAgainIsNoDecisionOfAnotherReplicaEither() {
        var a = world().app("a", AppStatus.UP);
        world().app("b", AppStatus.UP);
        stopped(a);

        await(world().replica().reconciler().reconcile(world().id));

        assertThat(world().decisions).hasSize(1);
    }

    private List<String> blockers() {
        return await(holdfast().service().overview(world().id)).orElseThrow().blockers();
    }

    @Test
    default void anAppThatLeavesMakesRoomForTheStopAtOnce() {
        var a = world().app("a", AppStatus.UP);
        var b = world().app("b", AppStatus.UP);
        stopped(a);

        await(world().registryOf(holdfast()).removeApp(b));

        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> state().phase() == Phase.STOPPED);
        assertThat(world().database.stops()).isEqualTo(1);
    }

    /** The app's hold goes with the app. That alone is no request to stop. */
    @Test
    default void aDatabaseThatNoAppAskedToStopStaysUpWhenAStartingAppLeaves() {
        var a = world().app("a", AppStatus.DOWN);
        holdfast().start(a);
        world().unlink(a);

        reconcile();
        reconcileUntilPatienceEnds();

        assertThat(world().database.orders).isEmpty();
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    default void appsThatComeAndGoLeaveNothingBehindButTheLastWish() {
        world().app("stays", AppStatus.UP);
        for (var visitor : List.of("a", "b", "c")) {
            var app = world().app(visitor, AppStatus.UP);
            holdfast().start(app);
            stopped(app);
            world().clock.advance(Duration.ofSeconds(1));
            world().unlink(app);
        }
        var starting = world().app("d", AppStatus.DOWN);
        holdfast().start(starting);
        world().unlink(starting);

        reconcile();

        assertThat(state().intents().startClaims()).isEmpty();
        assertThat(state().intents().stopRequests().keySet()).singleElement().satisfies(app -> assertThat(app.value())
                .startsWith("c-"));
    }

    @Test
    default void aDatabaseRegisteredOnceMoreBeginsAnewAndItsEpochsGoOnRising() {
        var a = world().app("a", AppStatus.DOWN);
        holdfast().stop(a);
        world().unlink(a);
        var database =
                await(world().registry().findDatabase(world().id)).orElseThrow().database();
        await(world().registry().removeDatabase(world().id));
        await(world().registry().putDatabase(database));
        world().database.becomes(Actuator.State.RUNNING);
        world().clock.advance(Duration.ofSeconds(1));

        assertThat(state()).isEqualTo(PowerState.INITIAL);
        world().link(a);
        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOPPED);
        assertThat(world().database.epochs).hasSize(2).isSorted().doesNotHaveDuplicates();
    }

    @Test
    default void aStopThatIsAcceptedAndNeverEndsIsStuckAndSaidToBe() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        world().database.hangsWhenStopped();

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOPPING);
        world().clock.advance(world().settings.stopMax().plusMillis(1));
        reconcile();
        assertThat(state().phase()).isEqualTo(Phase.STOP_STUCK);
        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOP_STUCK);
        assertThat(world().database.stops()).isEqualTo(1);

        world().database.becomes(Actuator.State.STOPPED);
        reconcile();
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    /** Others wait for its lock, and other databases for their turn. */
    @Test
    default void whoLooksAgainDoesNotWaitForAStopToEnd() {
        world().settings.with("answer-max", Duration.ofHours(1));
        var a = world().app("a", AppStatus.UP);
        var b = world().app("b", AppStatus.UP);
        holdfast().stop(a);
        holdfast().stop(b);
        world().apps.putAll(Map.of(a, AppStatus.DOWN, b, AppStatus.DOWN));
        world().database.hangsWhenStopped();

        reconcile();

        assertThat(state().phase()).isEqualTo(Phase.STOPPING);
        assertThat(world().database.stops()).isEqualTo(1);
    }

    @Test
    default void aStuckStopIsNotOrderedAgain() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        world().database.hangsWhenStopped();
        holdfast().stop(a);
        var ordered = state().since();
        world().clock.advance(world().settings.stopMax().plusMillis(1));
        reconcile();

        world().database.becomes(Actuator.State.RUNNING);
        reconcile();
        world().clock.advance(world().settings.stopMax().plusMillis(1));
        reconcile();

        assertThat(world().database.stops()).isEqualTo(1);
        assertThat(state().phase()).isEqualTo(Phase.STOP_STUCK);
        assertThat(state().since()).isEqualTo(ordered);
    }

    /** Some services start by themselves what has been stopped for long. */
    @Test
    default void aDatabaseThatSomebodyElseStartsIsStoppedAgain() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        holdfast().stop(a);
        holdfast().stop(b);
        reconcile();
        world().database.becomes(Actuator.State.RUNNING);

        reconcile();
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
        world().clock.advance(world().settings.recheckEvery());
        reconcile();
        assertThat(world().decisions.getLast().reason())
                .startsWith("the database was stopped, and was started outside Holdfast");
        reconcile();

        assertThat(world().database.orders).containsExactly("stop", "stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    default void aRequestSeesThatSomebodyElseHasStartedIt() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        holdfast().stop(a);
        world().database.becomes(Actuator.State.RUNNING);
        world().apps.put(b, AppStatus.UP);

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.SKIPPED_SHARED_ACTIVE);
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    default void anAppThatIsBackUpHasTakenItsWishBack() {
        var a = world().app("a", AppStatus.UP);
        world().app("b", AppStatus.UP);
        stopped(a);
        reconcile();

        world().apps.put(a, AppStatus.UP);
        reconcile();

        assertThat(state().intents().stopRequests()).isEmpty();
    }

    @Test
    default void aServerThatIsToldToGoWaitsForNothing() {
        world().settings.with("answer-max", Duration.ofHours(1));
        var a = world().app("a", AppStatus.DOWN);
        world().database.hangsWhenStopped();
        var stopping = holdfast().service().stop(a, false).subscribeAsCompletionStage();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> world().database.stops() == 1);

        holdfast().drain().begin();

        assertThat(stopping.join().orElseThrow().getFirst().result()).isEqualTo(Result.STOPPING);
        assertThat(await(world().locks().find(DatabaseLock.nameOf(world().id)))
                        .orElseThrow()
                        .end())
                .isPresent();
        world().database.becomes(Actuator.State.STOPPED);
        reconcile();
        assertThat(state().phase()).isEqualTo(Phase.STOPPING);
        assertThat(world().passes).isEmpty();
    }
}
