package io.holdfast.power;

import static io.holdfast.lock.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.AppProbe.Status;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the store itself refuses, whoever asks. */
interface PowerStoreFacts extends InAWorld {
    @Test
    default void aCommitFromBeforeAnotherDecisionChangesNothing() {
        world().app("a", Status.DOWN);
        var now = world().clock.instant();
        var seen = await(world().store().look(world().id)).orElseThrow();

        assertThat(await(world().store().commit(seen, Phase.STOPPING, now))).isTrue();
        var decided = state();

        assertThat(await(world().store().commit(seen, Phase.STARTING, now.plusSeconds(1))))
                .isFalse();
        assertThat(state()).isEqualTo(decided);
    }

    /** A server that watched a stop for long, and meanwhile another has begun to start the database again. */
    @Test
    default void howAnOlderDecisionWentOnChangesNothing() {
        world().app("a", Status.DOWN);
        var now = world().clock.instant();
        await(world().store().commit(await(world().store().look(world().id)).orElseThrow(), Phase.STOPPING, now));
        var stopping = state().epoch();
        await(world().store().commit(await(world().store().look(world().id)).orElseThrow(), Phase.STARTING, now));
        var starting = state();

        assertThat(await(world().store().settle(world().id, stopping, Phase.STOPPED, now.plusSeconds(1))))
                .isFalse();
        assertThat(state()).isEqualTo(starting);
    }

    @Test
    default void nothingIsDecidedAboutADatabaseThatIsGone() {
        var now = world().clock.instant();
        var seen = await(world().store().look(world().id)).orElseThrow();
        await(world().registry().removeDatabase(world().id));

        assertThat(await(world().store().commit(seen, Phase.STOPPING, now))).isFalse();
        assertThat(await(world().store().settle(world().id, 0, Phase.STOPPED, now)))
                .isFalse();
        assertThat(await(world().store().look(world().id))).isEqualTo(Optional.empty());
    }

    @Test
    default void aPauseIsKeptWhileStopsAreCountedAndGivenBack() {
        var now = world().clock.instant();
        var permit = (Brake.Permit.Granted) await(world().store().permitStop(2, now));
        await(world().store().pause(Optional.of("migration")));

        await(world().store().giveBack(permit));

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
