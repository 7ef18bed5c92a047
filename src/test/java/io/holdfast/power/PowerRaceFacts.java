package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Phase;
import io.holdfast.power.port.Actuator;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every race about a stop, each written as the interleaving that it is. */
interface PowerRaceFacts extends InAWorld {
    @Test
    default void anAppThatRegistersBetweenLookAndCommitPreventsTheStop() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().whileProbing(b, () -> world().app("c", AppStatus.UP));

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.SKIPPED_CHANGED);
        assertThat(world().database.stops()).isZero();
    }

    @Test
    default void anAppThatStartsBetweenLookAndCommitPreventsTheStop() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().whileProbing(b, () -> {
            var until = world().clock.instant().plus(world().settings.startClaim());
            await(world().store().claimStart(world().id, b, until, world().clock.instant()));
        });

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.SKIPPED_CHANGED);
        assertThat(world().database.stops()).isZero();
    }

    @Test
    default void aLeaseThatRunsOutDuringTheProbePreventsTheStop() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().whileProbing(b, () -> world().clock.advance(world().settings.lockTtl()));

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.SKIPPED_LOCK);
        assertThat(world().database.stops()).isZero();
        assertThat(state().phase()).isEqualTo(Phase.UNDECIDED);
    }

    @Test
    default void anAppThatStartsBetweenCommitAndAnswerGetsItsDatabaseBack() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().database.onStop(() -> {
            var until = world().clock.instant().plus(world().settings.startClaim());
            await(world().store().claimStart(world().id, b, until, world().clock.instant()));
        });

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOPPED);
        reconcile();

        assertThat(world().database.orders).containsExactly("stop", "start");
        assertThat(world().database.now()).isEqualTo(Actuator.State.RUNNING);
    }

    @Test
    default void aStopCommittedByADeadServerIsOrderedByItsSuccessor() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        stopAndDie(a, false);

        reconcile();

        assertThat(world().database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    default void aStopCarriedOutForADeadServerIsNotOrderedAgain() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        stopAndDie(a, true);

        reconcile();

        assertThat(world().database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    default void aStopCommittedLongAgoByADeadServerIsTriedBeforeItIsSaidToBeStuck() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        stopAndDie(a, false);
        world().clock.advance(world().settings.stopMax().plusMillis(1));

        reconcile();

        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    default void anAppThatRegistersWhileAStopIsLookedAtAgainPreventsItsOrder() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        stopAndDie(a, false);
        world().whileProbing(b, () -> world().app("c", AppStatus.UP));

        reconcile();
        assertThat(world().database.orders).isEmpty();
        reconcile();

        assertThat(world().database.stops()).isZero();
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void aServerThatSleepsBetweenCommitAndOrderOrdersNothing(boolean shared) {
        var a = world().app("a", AppStatus.DOWN);
        if (shared) {
            world().app("b", AppStatus.DOWN);
        }
        var sleepy = world().replica(world().withEvery(
                        "commit",
                        commit -> commit.invoke(() -> world().clock
                                .advance(world().settings
                                        .lockTtl()
                                        .minus(world().settings.leaseMargin())
                                        .plusMillis(1)))));

        assertThat(sleepy.stop(a).result()).isEqualTo(Result.STOPPING);
        assertThat(world().database.orders).isEmpty();
        world().clock.advance(world().settings.lockTtl());
        reconcile();

        assertThat(world().database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    default void aCommitWhoseAnswerIsLostIsCarriedOutOnceByWhoeverLooksNext() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        var unlucky = world().replica(world().withEvery(
                        "commit",
                        commit -> commit.chain(() ->
                                Uni.createFrom().failure(new StoreUnavailableException("The answer was lost.")))));

        assertThat(unlucky.stop(a).result()).isEqualTo(Result.STOP_FAILED);
        assertThat(world().database.orders).isEmpty();
        world().clock.advance(world().settings.lockTtl().plusMillis(1));
        reconcile();

        assertThat(world().database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    default void manyReplicasThatJudgeAtOnceOrderOneStop() {
        var apps = Stream.of("a", "b", "c", "d")
                .map(word -> world().app(word, AppStatus.DOWN))
                .toList();

        await(Uni.join()
                .all(apps.stream()
                        .map(app -> world().replica().service().stop(app, false))
                        .toList())
                .andFailFast());
        reconcile();

        assertThat(world().database.orders).containsExactly("stop");
        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    default void aStopCommittedByADeadServerIsCalledOffWhenAnAppCameUpSince() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        stopAndDie(a, false);
        world().apps.put(b, AppStatus.UP);

        reconcile();

        assertThat(world().database.stops()).isZero();
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
    }

    /** The app asks to stop, thinks better of it, and its start comes before the stop has looked. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void anAppThatStartsBehindItsOwnWishKeepsItsDatabase(boolean shared) {
        var a = world().app("a", AppStatus.DOWN);
        if (shared) {
            world().app("b", AppStatus.DOWN);
        }
        var overtaken = world().replica(world().withEvery(
                        "requestStop",
                        wish -> wish.call(() -> {
                            var now = world().clock.instant();
                            return world().store()
                                    .claimStart(
                                            world().id,
                                            a,
                                            now.plus(world().settings.startClaim()),
                                            now);
                        })));

        assertThat(overtaken.stop(a).reason()).startsWith("shared with starting apps: a-");
        assertThat(world().database.orders).isEmpty();
    }

    @Test
    default void aStartWaitsForTheStopThatLooksAndWins() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().settings.with("start-lock-max-retries", 1_000);
        var starting = new CompletableFuture<Optional<List<Decision>>>();
        world().whileProbing(b, () -> {
            world().replica().service().start(b).subscribe().with(starting::complete, starting::completeExceptionally);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> state().intents().startClaims().containsKey(b));
        });

        assertThat(holdfast().stop(a).result()).isEqualTo(Result.SKIPPED_CHANGED);
        assertThat(starting.join().orElseThrow().getFirst().result()).isEqualTo(Result.RUNNING);
        assertThat(world().database.orders).isEmpty();
    }

    @Test
    default void aStopCommittedByADeadServerIsNotOrderedWhilePaused() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        stopAndDie(a, false);
        await(holdfast().service().pause(Optional.of("migration")));

        reconcile();
        assertThat(world().database.orders).isEmpty();
        await(holdfast().service().pause(Optional.empty()));
        reconcile();

        assertThat(world().database.orders).containsExactly("stop");
    }

    /** The order was carried out, but that does not show yet when an app is seen up. */
    @Test
    default void callingOffAStopIsAnOrderToStart() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().database.lagsBy(Integer.MAX_VALUE);
        stopAndDie(a, true);
        world().apps.put(b, AppStatus.UP);

        reconcile();

        assertThat(world().database.orders).containsExactly("stop", "start");
        world().database.lagsBy(0);
        assertThat(world().database.now()).isEqualTo(Actuator.State.RUNNING);
    }

    @Test
    default void aCallOffThatCannotBeOrderedNowIsOrderedAgain() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().database.lagsBy(Integer.MAX_VALUE);
        stopAndDie(a, true);
        world().apps.put(b, AppStatus.UP);
        world().database.answersNext(new Actuator.Outcome.Retry("throttled"));

        reconcile();
        reconcile();

        assertThat(world().database.orders).containsExactly("stop", "start", "start");
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    default void aStopThatCannotBeCalledOffByAStartIsRunningIfItRuns() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        stopAndDie(a, false);
        world().apps.put(b, AppStatus.UP);
        world().database.answersNext(new Actuator.Outcome.Refused("only stops are allowed"));

        reconcile();

        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
        assertThat(world().decisions.getLast().reason()).contains("stop cancelled", "only stops are allowed");
    }

    /** The app withdraws its start between the reconciler's look and the moment at which it prolongs the hold. */
    @Test
    default void aStopRequestThatComesWhileHoldsAreProlongedIsKept() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().database.hangsWhenStopped();
        holdfast().stop(a);
        holdfast().start(b);
        world().clock.advance(world().settings.startClaim().dividedBy(2).plusMillis(1));
        var looks = new AtomicInteger();
        var overtaken = world().replica(world().withEvery(
                        "snapshot",
                        look -> look.call(() -> looks.incrementAndGet() == 2
                                ? holdfast().service().stop(b, false)
                                : Uni.createFrom().voidItem())));

        await(overtaken.reconciler().reconcile(world().id));

        assertThat(looks).hasValueGreaterThanOrEqualTo(2);
        assertThat(state().intents().stopRequests()).containsKey(b);
        world().database.becomes(Actuator.State.STOPPED);
        reconcile();
        reconcile();
        assertThat(world().database.orders).containsExactly("stop");
    }

    /** The app was seen down before it started. Its next stop request is newer than that. */
    @Test
    default void aStopRequestOfAnAppThatWasDownBeforeItStartedIsKept() {
        var a = world().app("a", AppStatus.UP);
        var b = world().app("b", AppStatus.UP);
        stopped(a);
        reconcile();
        world().clock.advance(Duration.ofSeconds(1));
        holdfast().start(a);
        world().apps.put(a, AppStatus.UP);
        world().clock.advance(Duration.ofSeconds(1));
        holdfast().stop(a);

        reconcile();
        assertThat(state().intents().stopRequests()).containsKey(a);
        world().apps.put(a, AppStatus.DOWN);
        world().apps.put(b, AppStatus.DOWN);
        reconcileUntilPatienceEnds();

        assertThat(world().database.now()).isEqualTo(Actuator.State.STOPPED);
    }

    @Test
    default void aWishThatComesWhileAnOlderOneIsDroppedStays() {
        var a = world().app("a", AppStatus.UP);
        var b = world().app("b", AppStatus.UP);
        stopped(a);
        reconcile();
        world().apps.put(a, AppStatus.UP);
        world().clock.advance(Duration.ofSeconds(1));
        world().whileProbing(
                        b,
                        () -> await(world().store()
                                .requestStop(world().id, a, world().clock.instant())));

        reconcile();

        assertThat(state().intents().stopRequests()).containsKey(a);
    }
}
