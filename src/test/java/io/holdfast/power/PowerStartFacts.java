package io.holdfast.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Phase;
import io.holdfast.power.port.Actuator;
import org.junit.jupiter.api.Test;

/** A database runs before its app does. */
interface PowerStartFacts extends InAWorld {
    @Test
    default void aStartBringsTheDatabaseBack() {
        var a = world().app("a", AppStatus.DOWN);
        holdfast().stop(a);

        assertThat(holdfast().start(a).result()).isEqualTo(Result.STARTED);
        assertThat(world().database.now()).isEqualTo(Actuator.State.RUNNING);
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
        assertThat(holdfast().start(a).result()).isEqualTo(Result.RUNNING);
    }

    @Test
    default void anAppThatHasStartedKeepsTheDatabaseUpWhileItIsStillDown() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        holdfast().start(a);

        assertThat(holdfast().stop(b).reason()).startsWith("shared with starting apps: a-");
        world().clock.advance(world().settings.startClaim());
        reconcileUntilPatienceEnds();

        assertThat(world().database.now()).isEqualTo(Actuator.State.STOPPED);
    }

    @Test
    default void aDatabaseThatWentDownWhileAnAppHoldsItIsStartedAgain() {
        var a = world().app("a", AppStatus.DOWN);
        holdfast().start(a);
        world().database.becomes(Actuator.State.STOPPED);

        reconcile();

        assertThat(world().database.now()).isEqualTo(Actuator.State.RUNNING);
    }

    @Test
    default void aStartQueuesBehindAStopThatIsUnderWay() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().database.hangsWhenStopped();
        holdfast().stop(a);

        assertThat(holdfast().start(b).result()).isEqualTo(Result.STARTING);
        assertThat(world().database.orders).containsExactly("stop");
        world().database.becomes(Actuator.State.STOPPED);
        reconcile();
        reconcile();

        assertThat(world().database.orders).containsExactly("stop", "start");
    }

    /** Its state is not shown yet; only an order that comes later is an answer to one that may be on its way. */
    @Test
    default void aStartBehindAStopThatDoesNotShowYetIsAnOrderOfItsOwn() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().database.lagsBy(Integer.MAX_VALUE);
        assertThat(holdfast().stop(a).result()).isEqualTo(Result.STOPPING);

        holdfast().start(b);

        assertThat(world().database.orders).containsExactly("stop", "start");
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
    }

    /** The stop was carried out and does not show yet; the order that undoes it could not be given at first. */
    @Test
    default void aStartThatIsAskedForAgainRepeatsAnOrderThatWasNotTaken() {
        var a = world().app("a", AppStatus.DOWN);
        world().database.lagsBy(Integer.MAX_VALUE);
        holdfast().stop(a);
        world().database.answersNext(new Actuator.Outcome.Retry("throttled"));
        assertThat(holdfast().start(a).result()).isEqualTo(Result.START_FAILED);

        assertThat(holdfast().start(a).result()).isEqualTo(Result.STARTED);

        assertThat(world().database.orders).containsExactly("stop", "start", "start");
        assertThat(world().database.really()).isEqualTo(Actuator.State.RUNNING);
    }

    @Test
    default void aStartThatIsRefusedSaysWhyAndIsNotRepeatedAllTheTime() {
        var a = world().app("a", AppStatus.DOWN);
        holdfast().stop(a);
        world().database.answersNext(new Actuator.Outcome.Refused("there is no capacity left"));

        assertThat(holdfast().start(a).reason()).startsWith("there is no capacity left");
        reconcile();
        assertThat(world().database.orders).containsExactly("stop", "start");
        world().clock.advance(world().settings.refusedPause());
        reconcile();

        assertThat(world().database.now()).isEqualTo(Actuator.State.RUNNING);
    }

    @Test
    default void aStartThatNeverEndsDoesNotKeepTheDatabaseFromBeingStopped() {
        var a = world().app("a", AppStatus.DOWN);
        holdfast().stop(a);
        world().database.hangsWhenStarted();

        assertThat(holdfast().start(a).result()).isEqualTo(Result.STARTING);
        assertThat(holdfast().stop(a).result()).isEqualTo(Result.SKIPPED_CHANGED);
        world().clock.advance(world().settings.startMax().plusMillis(1));
        reconcile();
        assertThat(world().decisions.getLast().result()).isEqualTo(Result.START_FAILED);
        reconcile();

        assertThat(world().database.now()).isEqualTo(Actuator.State.STOPPED);
    }

    @Test
    default void aDatabaseThatSomebodyElseIsStartingIsWaitedFor() {
        var a = world().app("a", AppStatus.DOWN);
        world().database.becomes(Actuator.State.STARTING);

        assertThat(holdfast().start(a).result()).isEqualTo(Result.STARTING);
        world().database.becomes(Actuator.State.RUNNING);

        assertThat(holdfast().start(a).result()).isEqualTo(Result.RUNNING);
        assertThat(world().database.orders).isEmpty();
    }

    /** It is owed a start, however long the stop takes. */
    @Test
    default void aStartBehindAStopThatTakesLongerThanAHoldIsNotForgotten() {
        var a = world().app("a", AppStatus.DOWN);
        var b = world().app("b", AppStatus.DOWN);
        world().database.hangsWhenStopped();
        holdfast().stop(a);
        holdfast().start(b);
        for (var half = 0; half < 6; half++) {
            world().clock.advance(world().settings.startClaim().dividedBy(2).plusMillis(1));
            reconcile();
        }

        world().database.becomes(Actuator.State.STOPPED);
        reconcile();
        reconcile();

        assertThat(world().database.orders).containsExactly("stop", "start");
    }

    @Test
    default void aStartThatCannotTellTheStateSaysWhy() {
        var a = world().app("a", AppStatus.DOWN);
        holdfast().stop(a);
        world().database.becomes(Actuator.State.UNKNOWN);

        var told = holdfast().start(a);

        assertThat(told.result()).isEqualTo(Result.STARTING);
        assertThat(told.reason())
                .startsWith("the state of the database is unknown: as the test says; it will be checked again");
    }

    @Test
    default void whatCannotBeToldIsRunningIfItAnswers() {
        var a = world().app("a", AppStatus.DOWN);
        world().database.becomes(Actuator.State.UNKNOWN);

        assertThat(holdfast().start(a).result()).isEqualTo(Result.RUNNING);
    }
}
