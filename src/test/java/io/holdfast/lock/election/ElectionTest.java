package io.holdfast.lock.election;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.TestClock;
import io.holdfast.kernel.Timers;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.RulesStore;
import io.holdfast.lock.queue.Cleanup;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ElectionTest {
    private static final Duration TTL = Duration.ofMinutes(1);

    private final TestClock clock = new TestClock(NOON);
    private final LockStore store = new RulesStore(Fixtures.RULES);
    private final Election election = replica();

    @Test
    void theTaskRunsUnderTheLockAndTheLockIsReleasedAfterwards() {
        var during = run(election, term -> store.find(Election.lockOf("task"))
                .map(lock -> lock.orElseThrow().statusAt(clock.instant()).name()));

        assertThat(during).isEqualTo("ACTIVE");
        assertThat(status()).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void anotherReplicaIsNotElectedMeanwhile() {
        var other = replica();

        assertThat(run(election, term -> Uni.createFrom().item(run(other, inner -> done()))))
                .isEqualTo("not elected");
        assertThat(run(other, term -> done())).isEqualTo("done");
    }

    @Test
    void theLockOfATaskThatFailedIsReleased() {
        assertThatThrownBy(() -> run(election, term -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void afterHalfOfItsTtlTheLeaseIsRenewed() {
        run(election, term -> {
            clock.advance(TTL.dividedBy(2));
            assertThat(await(term.mayContinue())).isTrue();
            clock.advance(TTL.dividedBy(2));
            assertThat(await(term.mayContinue())).isTrue();
            return done();
        });

        assertThat(await(store.find(Election.lockOf("task")))
                        .orElseThrow()
                        .lease()
                        .term()
                        .renewals())
                .isEqualTo(2);
    }

    @Test
    void aTaskWhoseLeaseHasExpiredMustNotContinue() {
        run(election, term -> {
            clock.advance(TTL.plusSeconds(1));
            assertThat(await(term.mayContinue())).isFalse();
            return done();
        });
    }

    @Test
    void aStoppedTaskMustNotContinueAndDoesNotPauseFirst() {
        run(election, term -> {
            election.stop();
            assertThat(await(term.mayContinue())).isFalse();
            assertThat(await(term.mayContinueAfter(Duration.ofDays(1)))).isFalse();
            return done();
        });
    }

    private Election replica() {
        return new Election("task", TTL, store, clock, new Cleanup(clock, (delay, task) -> Timers.Timer.NONE, 1));
    }

    private static String run(Election replica, Function<Election.Term, Uni<String>> task) {
        return await(replica.run(task, () -> Uni.createFrom().item("not elected")));
    }

    private static Uni<String> done() {
        return Uni.createFrom().item("done");
    }

    private LockStatus status() {
        return await(store.find(Election.lockOf("task"))).orElseThrow().statusAt(clock.instant());
    }
}
