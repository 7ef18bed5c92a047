package io.holdfast.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Timers that go off when the test moves its clock, in the order of their moments, and never by themselves. */
public final class FakeTimers implements Timers {
    private final TestClock clock;
    private final List<Alarm> alarms = new ArrayList<>();

    private record Alarm(Instant at, Runnable task) {}

    public FakeTimers(TestClock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized Timer after(Duration delay, Runnable task) {
        var alarm = new Alarm(clock.instant().plus(delay.isNegative() ? Duration.ZERO : delay), task);
        alarms.add(alarm);
        return () -> cancel(alarm);
    }

    /** Moves the clock, and stops at each timer on the way; those set on the way go off as well if they are due. */
    public void advance(Duration by) {
        var end = clock.instant().plus(by);
        for (var next = takeNext(end); next != null; next = takeNext(end)) {
            if (next.at().isAfter(clock.instant())) {
                clock.advance(Duration.between(clock.instant(), next.at()));
            }
            next.task().run();
        }
        clock.advance(Duration.between(clock.instant(), end));
    }

    /** Sets the clock, and then lets go off what would have been due by its old time after so long. */
    public void goesOffAfter(Duration by, Duration clockSetBy) {
        var end = clock.instant().plus(by);
        clock.advance(clockSetBy);
        List<Alarm> due;
        synchronized (this) {
            due = alarms.stream()
                    .filter(alarm -> !alarm.at().isAfter(end))
                    .sorted(Comparator.comparing(Alarm::at))
                    .toList();
            alarms.removeAll(due);
        }
        due.forEach(alarm -> alarm.task().run());
    }

    /** How many have not gone off and were not cancelled. */
    public synchronized int waiting() {
        return alarms.size();
    }

    private synchronized Alarm takeNext(Instant end) {
        var next = alarms.stream()
                .filter(alarm -> !alarm.at().isAfter(end))
                .min(Comparator.comparing(Alarm::at))
                .orElse(null);
        cancel(next);
        return next;
    }

    /** The very alarm, and not one that is equal to it. */
    private synchronized void cancel(Alarm alarm) {
        alarms.removeIf(known -> known == alarm);
    }
}
