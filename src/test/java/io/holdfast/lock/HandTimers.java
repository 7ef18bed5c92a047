package io.holdfast.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Timers that go off when a test moves the clock, and never by themselves. Safe to set from any thread. */
public final class HandTimers implements Timers {
    private final TestClock clock;
    private final List<Pending> pending = new ArrayList<>();

    private record Pending(Instant due, Runnable task) {}

    public HandTimers(TestClock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized Timer after(Duration delay, Runnable task) {
        var timer = new Pending(clock.instant().plus(delay.isNegative() ? Duration.ZERO : delay), task);
        pending.add(timer);
        return () -> cancel(timer);
    }

    /** Moves the clock, stopping at every timer that becomes due on the way, those set meanwhile included. */
    public void advance(Duration by) {
        var until = clock.instant().plus(by);
        for (var next = takeDue(until); next.isPresent(); next = takeDue(until)) {
            var due = next.get();
            if (clock.instant().isBefore(due.due())) {
                clock.advance(Duration.between(clock.instant(), due.due()));
            }
            due.task().run();
        }
        clock.advance(Duration.between(clock.instant(), until));
    }

    public synchronized int count() {
        return pending.size();
    }

    private synchronized Optional<Pending> takeDue(Instant until) {
        var next =
                pending.stream().filter(timer -> !timer.due().isAfter(until)).min(Comparator.comparing(Pending::due));
        next.ifPresent(this::cancel);
        return next;
    }

    /** By identity: two timers may be alike. */
    private synchronized void cancel(Pending timer) {
        pending.removeIf(other -> other == timer);
    }
}
