package io.holdfast.lock.election;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.TestClock;
import io.holdfast.kernel.Timers;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.RulesStore;
import io.holdfast.lock.queue.Cleanup;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeadershipTest {
    private static final Duration TTL = Duration.ofSeconds(90);

    private final TestClock clock = new TestClock(NOON);
    private final RulesStore store = new RulesStore(Fixtures.RULES);
    private final Leadership one = replica();
    private final Leadership other = replica();

    private Leadership replica() {
        return new Leadership("task", TTL, store, clock, new Cleanup(clock, (delay, task) -> Timers.Timer.NONE, 10));
    }

    @Test
    void theLeaderStaysTheLeaderBetweenItsRuns() {
        assertThat(await(one.lead())).isTrue();
        for (var run = 0; run < 10; run++) {
            clock.advance(TTL.dividedBy(3));
            assertThat(await(other.lead())).isFalse();
            assertThat(await(one.lead())).isTrue();
        }
    }

    @Test
    void anotherReplicaLeadsWhenTheLeaderIsDead() {
        await(one.lead());
        clock.advance(TTL.plus(Fixtures.SKEW).plusMillis(1));

        assertThat(await(other.lead())).isTrue();
        assertThat(await(one.mayContinue())).isFalse();
        assertThat(await(one.lead())).isFalse();
    }

    @Test
    void anotherReplicaLeadsAtOnceWhenTheLeaderResigns() {
        await(one.lead());
        one.resign();

        assertThat(await(other.lead())).isTrue();
        assertThat(await(one.mayContinue())).isFalse();
        assertThat(await(one.lead())).isFalse();
    }

    @Test
    void aReplicaThatResignsWhileItIsElectedReleasesTheLock() {
        store.keepAnswer(RulesStore.Call.ACQUIRE);
        var elected = one.lead().subscribeAsCompletionStage();
        one.resign();
        store.goOn();

        assertThat(await(Uni.createFrom().completionStage(elected))).isFalse();
        assertThat(store.record(Election.lockOf("task")).statusAt(clock.instant()))
                .isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void theLeaseIsRenewedDuringALongRun() {
        await(one.lead());
        for (var step = 0; step < 20; step++) {
            clock.advance(TTL.dividedBy(4));
            assertThat(await(one.mayContinue())).isTrue();
        }
        assertThat(await(other.lead())).isFalse();
    }

    @Test
    void aReplicaThatDoesNotLeadMayNotContinue() {
        assertThat(await(one.mayContinue())).isFalse();
    }
}
