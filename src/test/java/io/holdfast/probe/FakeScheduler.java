package io.holdfast.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers that go off when the test says so, and never by themselves. */
final class FakeScheduler extends ScheduledThreadPoolExecutor {
    private record Timer(Duration delay, Runnable task, ScheduledFuture<?> future) {}

    private final List<Timer> timers = new ArrayList<>();

    FakeScheduler() {
        super(0);
        shutdown();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        var future = new Cancellable();
        timers.add(new Timer(Duration.of(delay, unit.toChronoUnit()), task, future));
        return future;
    }

    /** @param index among the timers of this delay, from 0 in the order in which they were set */
    void goesOff(Duration delay, int index) {
        var timer = timers.stream()
                .filter(given -> given.delay().equals(delay))
                .toList()
                .get(index);
        if (!timer.future().isCancelled()) {
            timer.task().run();
        }
    }

    private static final class Cancellable extends CompletableFuture<Void> implements ScheduledFuture<Void> {
        @Override
        public long getDelay(TimeUnit unit) {
            return Long.MAX_VALUE;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
