package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Step by step on one thread, with a clock and a queue that the test moves. */
class BlockingWorkTest {
    private static final Duration TIME = Duration.ofSeconds(5);

    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - TIME.toNanos() / 2);
    private final Deadline deadline = Deadline.in(TIME, nanoTime::get);
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final UniAssertSubscriber<Integer> waiting = BlockingWork.run(queue::add, deadline, begun::incrementAndGet)
            .subscribe()
            .withSubscriber(UniAssertSubscriber.create());

    @Test
    void workIsDoneWhenAThreadIsFreeInTime() {
        nanoTime.addAndGet(TIME.toNanos() - 1);
        queue.remove().run();

        waiting.assertCompleted().assertItem(1);
    }

    @Test
    void workWhoseTimeIsOverIsNotBegun() {
        nanoTime.addAndGet(TIME.toNanos());
        queue.remove().run();

        waiting.assertFailedWith(TooLateException.class);
        assertThat(begun).hasValue(0);
    }

    @Test
    void workThatNobodyWaitsForAnyMoreIsNotBegun() {
        waiting.cancel();
        queue.remove().run();

        assertThat(begun).hasValue(0);
    }

    @Test
    void workThatFailsIsAFailure() {
        var failing = BlockingWork.run(Runnable::run, deadline, () -> {
                    throw new IllegalStateException("broken");
                })
                .subscribe()
                .withSubscriber(UniAssertSubscriber.create());

        failing.assertFailedWith(IllegalStateException.class, "broken");
    }

    @Test
    void workThatThereIsNoRoomForIsAFailure() {
        var refused = BlockingWork.run(
                        task -> {
                            throw new RejectedExecutionException("full");
                        },
                        deadline,
                        begun::incrementAndGet)
                .subscribe()
                .withSubscriber(UniAssertSubscriber.create());

        refused.assertFailedWith(RejectedExecutionException.class);
        assertThat(begun).hasValue(0);
    }
}
