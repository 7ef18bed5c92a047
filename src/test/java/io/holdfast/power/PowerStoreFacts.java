package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.Database;
import io.holdfast.registry.RegistryStore.PendingOrder;
import io.holdfast.registry.RegistryStore.PutOutcome;
import io.holdfast.registry.RegistryStore.RemoveDatabaseOutcome;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store itself refuses, whoever asks. */
interface PowerStoreFacts extends InAWorld {
    ActuatorSpec OTHER = new ActuatorSpec.Rds("orders", false, Optional.empty());

    @Test
    default void aCommitFromBeforeAnotherDecisionChangesNothing() {
        world().app("a", AppStatus.DOWN);
        var now = world().clock.instant();
        var seen = await(world().store().snapshot(world().id)).orElseThrow();

        assertThat(await(world().store().commit(seen, Phase.STOPPING, now))).isTrue();
        var decided = state();

        assertThat(await(world().store().commit(seen, Phase.STARTING, now.plusSeconds(1))))
                .isFalse();
        assertThat(state()).isEqualTo(decided);
    }

    /** A server that watched a stop for long, and meanwhile another has begun to start the database again. */
    @Test
    default void howAnOlderDecisionWentOnChangesNothing() {
        world().app("a", AppStatus.DOWN);
        var now = world().clock.instant();
        await(world().store().commit(await(world().store().snapshot(world().id)).orElseThrow(), Phase.STOPPING, now));
        var stopping = state().epoch();
        await(world().store().commit(await(world().store().snapshot(world().id)).orElseThrow(), Phase.STARTING, now));
        var starting = state();

        assertThat(await(world().store().settle(world().id, stopping, Phase.STOPPED, now.plusSeconds(1))))
                .isFalse();
        assertThat(state()).isEqualTo(starting);
    }

    @Test
    default void nothingIsDecidedAboutADatabaseThatIsGone() {
        var now = world().clock.instant();
        var seen = await(world().store().snapshot(world().id)).orElseThrow();
        await(world().registry().removeDatabase(world().id));

        assertThat(await(world().store().commit(seen, Phase.STOPPING, now))).isFalse();
        assertThat(await(world().store().settle(world().id, 0, Phase.STOPPED, now)))
                .isFalse();
        assertThat(await(world().store().snapshot(world().id))).isEqualTo(Optional.empty());
    }

    /** Whoever orders is told by one actuator; a late stop is found and undone by the same one. */
    @Test
    default void nothingIsDecidedAboutADatabaseWhoseActuatorHasChangedSince() {
        world().app("a", AppStatus.DOWN);
        var seen = await(world().store().snapshot(world().id)).orElseThrow();
        await(world().registry().putDatabase(with(OTHER)));

        assertThat(await(world().store()
                        .commit(seen, Phase.STOPPING, world().clock.instant())))
                .isFalse();
        assertThat(state()).isEqualTo(PowerState.INITIAL);
    }

    @ParameterizedTest
    @EnumSource(names = {"STOPPING", "STARTING"})
    default void aDatabaseIsNotRemovedWhileAnOrderIsPending(Phase phase) {
        committed(phase);
        var before = state();

        assertThat(await(world().registry().removeDatabase(world().id)))
                .isEqualTo(new RemoveDatabaseOutcome.OrderPending(orderOf(phase)));
        assertThat(state()).isEqualTo(before);

        await(world().store()
                .settle(world().id, before.epoch(), Phase.RUNNING, world().clock.instant()));
        assertThat(await(world().registry().removeDatabase(world().id))).isEqualTo(new RemoveDatabaseOutcome.Removed());
    }

    @ParameterizedTest
    @EnumSource(names = {"STOPPING", "STARTING"})
    default void anActuatorIsNotChangedWhileAnOrderIsPending(Phase phase) {
        committed(phase);
        var before = await(world().store().snapshot(world().id)).orElseThrow();

        assertThat(await(world().registry().putDatabase(with(OTHER))))
                .isEqualTo(new PutOutcome.OrderPending(orderOf(phase)));
        assertThat(await(world().store().snapshot(world().id))).contains(before);

        await(world().store()
                .settle(
                        world().id,
                        before.state().epoch(),
                        Phase.RUNNING,
                        world().clock.instant()));
        assertThat(await(world().registry().putDatabase(with(OTHER)))).isEqualTo(new PutOutcome.Updated());
    }

    @Test
    default void registeringTheSameActuatorAgainKeepsAPendingOrder() {
        committed(Phase.STOPPING);
        var before = await(world().store().snapshot(world().id)).orElseThrow();

        assertThat(await(world().registry().putDatabase(before.database()))).isEqualTo(new PutOutcome.Updated());

        assertThat(await(world().store().snapshot(world().id))).contains(before);
    }

    /** An operator must be able to take away what nothing else ends. */
    @Test
    default void aDatabaseWhoseStopIsStuckCanBeChangedAndRemoved() {
        committed(Phase.STOPPING);
        await(world().store()
                .settle(
                        world().id,
                        state().epoch(),
                        Phase.STOP_STUCK,
                        world().clock.instant()));

        assertThat(await(world().registry().putDatabase(with(OTHER)))).isEqualTo(new PutOutcome.Updated());
        assertThat(await(world().registry().removeDatabase(world().id))).isEqualTo(new RemoveDatabaseOutcome.Removed());
    }

    private void committed(Phase phase) {
        var seen = await(world().store().snapshot(world().id)).orElseThrow();
        assertThat(await(world().store().commit(seen, phase, world().clock.instant())))
                .isTrue();
    }

    private Database with(ActuatorSpec actuator) {
        var database =
                await(world().registry().findDatabase(world().id)).orElseThrow().database();
        return new Database(database.id(), database.type(), database.address(), actuator);
    }

    private static PendingOrder orderOf(Phase phase) {
        return phase == Phase.STARTING ? PendingOrder.START : PendingOrder.STOP;
    }

    @Test
    default void aPauseIsKeptWhileStopsAreCountedAndGivenBack() {
        var now = world().clock.instant();
        var permit = (Brake.Permit.Granted) await(world().store().permitStop(2, now));
        await(world().store().pause(Optional.of("migration")));

        await(world().store().returnPermit(permit));

        assertThat(await(world().store().brake()).paused()).contains("migration");
        assertThat(await(world().store().permitStop(2, now))).isInstanceOf(Brake.Permit.Denied.class);
        await(world().store().pause(Optional.empty()));
        assertThat(await(world().store().brake())).isEqualTo(Brake.OFF);
    }

    @Test
    default void noMoreStopsArePermittedThanAllowedHoweverManyAskAtOnce() {
        var now = world().clock.instant();
        var permits = await(Uni.join()
                .all(IntStream.range(0, 6)
                        .mapToObj(i -> world().store().permitStop(3, now))
                        .toList())
                .andFailFast());

        assertThat(permits).filteredOn(Brake.Permit.Granted.class::isInstance).hasSize(3);
    }
}
