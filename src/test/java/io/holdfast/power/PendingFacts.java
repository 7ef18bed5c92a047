package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.PendingCounts;
import io.holdfast.power.model.Phase;
import io.holdfast.power.port.Actuator;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a pass of the reconciler says of the databases it found. */
interface PendingFacts extends InAWorld {
    /** An alert must stay on for as long as somebody has to look. */
    @Test
    default void everyPassTellsInWhichPhaseItFoundWhatIsNotSettled() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        world().database.hangsWhenStopped();
        holdfast().stop(a);
        reconcile();
        assertThat(found(Phase.STOPPING)).isEqualTo(1);
        world().clock.advance(world().settings.stopMax().plusMillis(1));
        reconcile();

        for (var pass = 0; pass < 2; pass++) {
            reconcile();
            assertThat(found(Phase.STOP_STUCK)).isEqualTo(1);
            assertThat(found(Phase.STOPPING)).isZero();
        }

        world().database.becomes(Actuator.State.STOPPED);
        reconcile();
        reconcile();
        assertThat(found(Phase.STOP_STUCK)).isZero();
        assertThat(found(Phase.STOPPED)).isEqualTo(1);
    }

    @Test
    default void aDatabaseThatIsSettledIsFoundInNoPhase() {
        var a = world().app("a", AppStatus.UP);
        world().app("b", AppStatus.UP);
        stopped(a);
        reconcile();
        world().apps.put(a, AppStatus.UP);
        reconcile();

        reconcile();

        assertThat(world().passes.getLast()).contains(new PendingCounts(Map.of(), 0));
    }

    @Test
    default void whatIsFoundCountsAlsoWhenNothingComesOfIt() {
        var a = world().app("a", AppStatus.DOWN);
        world().app("b", AppStatus.DOWN);
        world().database.hangsWhenStopped();
        holdfast().stop(a);
        var forgetful = world().replica(world().failingAt("brake"));
        world().database.becomes(Actuator.State.RUNNING);
        world().clock.advance(world().settings.lockTtl().plusMillis(1));

        await(forgetful.reconciler().reconcileAll());

        assertThat(found(Phase.STOPPING)).isEqualTo(1);
        assertThat(world().passes.getLast().orElseThrow().unread()).isZero();
    }

    @Test
    default void aDatabaseThatCannotBeLookedAtIsCountedAsSuch() {
        var a = world().app("a", AppStatus.UP);
        world().app("b", AppStatus.UP);
        stopped(a);

        await(world().replica(world().failingAt("snapshot")).reconciler().reconcileAll());

        assertThat(world().passes.getLast()).contains(new PendingCounts(Map.of(), 1));
    }

    @Test
    default void aPassThatFailsTellsNoFigures() {
        var broken = world().replica(world().failingAt("pending")).reconciler();

        assertThatThrownBy(() -> await(broken.reconcileAll())).isInstanceOf(StoreUnavailableException.class);

        assertThat(world().passes).containsExactly(Optional.empty());
    }

    private int found(Phase phase) {
        return world().passes.getLast().orElseThrow().byPhase().get(phase);
    }
}
