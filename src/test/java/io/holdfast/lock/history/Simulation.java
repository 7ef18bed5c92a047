package io.holdfast.lock.history;

import io.holdfast.lock.model.LockId;
import io.holdfast.lock.port.Fixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;

/** One true time, the events that happen in it, and the journal of what happened. Everything runs in the caller's thread. */
final class Simulation {
    static final Instant START = Fixtures.NOON;

    /** Whether the journal also tells what the store is asked and does: for whoever looks for the reason of a violation. */
    private static final boolean TRACING = Boolean.getBoolean("histories.trace");

    private final Random random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparing(Event::at).thenComparing(Event::number));
    private final List<String> journal = new ArrayList<>();
    private Instant now = START;
    private long scheduled;

    /** @param number keeps events of the same moment in the order in which they were scheduled */
    private record Event(Instant at, long number, Runnable task) {}

    interface Cancellation {
        void cancel();
    }

    Simulation(long seed) {
        this.random = new Random(seed);
    }

    Instant now() {
        return now;
    }

    Cancellation after(Duration delay, Runnable task) {
        var event = new Event(delay.isNegative() ? now : now.plus(delay), scheduled++, task);
        events.add(event);
        return () -> events.remove(event);
    }

    /** Carries out the next event, if there is one until then. */
    boolean step(Instant end) {
        if (events.isEmpty() || events.peek().at().isAfter(end)) {
            now = end;
            return false;
        }
        var next = events.remove();
        now = next.at();
        next.task().run();
        return true;
    }

    void note(String format, Object... facts) {
        journal.add(String.format("%10.3f  ", Duration.between(START, now).toMillis() / 1000.0)
                + String.format(format, facts));
    }

    /** As {@link #note}, of things that no client is told. */
    void trace(String format, Object... facts) {
        if (TRACING) {
            note("    " + format, facts);
        }
    }

    List<String> journal() {
        return List.copyOf(journal);
    }

    boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    int upTo(int bound) {
        return random.nextInt(bound);
    }

    Duration between(Duration least, Duration most) {
        return least.plusMillis(random.nextLong(most.minus(least).toMillis() + 1));
    }

    Duration millis(int least, int most) {
        return between(Duration.ofMillis(least), Duration.ofMillis(most));
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    LockId anId() {
        return new LockId(new UUID(random.nextLong(), random.nextLong()).toString());
    }
}
