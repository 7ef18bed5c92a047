package io.holdfast.job.dispatch;

import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.job.model.JobType;
import io.holdfast.job.port.JobStore.Section;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final Section FIRST = new Section(JobType.CREATE, 0);
    private static final Section SECOND = new Section(JobType.DESTROY, 1);

    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final Set<Section> waitedFor = ConcurrentHashMap.newKeySet();
    private final List<Set<Section>> carriedOut = new CopyOnWriteArrayList<>();
    private final AtomicBoolean arrives = new AtomicBoolean(true);
    private Rounds rounds;

    /** Nothing else would look into its sections: no timer is due before the poll. */
    @Test
    void aWorkerThatArrivesWhileARoundEndsGetsARoundOfItsOwn() {
        rounds = new Rounds(Duration.ofSeconds(5), timers, clock, this::wanted, round -> {
            carriedOut.add(round.sections());
            return Uni.createFrom().voidItem();
        });

        rounds.request(Set.of(FIRST));

        await().untilAsserted(() -> assertThat(carriedOut).containsExactly(Set.of(FIRST), Set.of(SECOND)));
    }

    /** The sections as they are before a worker arrives on another thread. Returns when that has gone as far as it can. */
    private Set<Section> wanted() {
        var before = Set.copyOf(waitedFor);
        if (arrives.compareAndSet(true, false)) {
            var worker = Thread.ofPlatform().daemon().start(() -> {
                waitedFor.add(SECOND);
                rounds.request(Set.of(SECOND));
            });
            await().until(() ->
                    Set.of(Thread.State.BLOCKED, Thread.State.TERMINATED).contains(worker.getState()));
        }
        return before;
    }
}
