package io.holdfast.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * How often the status of a URL changed between up and down within a window. Remembers the last status and the times of
 * the latest changes. Thread-safe.
 */
final class Changes {
    /** More than this many changes within a window count as this many. */
    static final int REMEMBERED_MAX = 100;

    private final Duration window;
    private final Deque<Instant> times = new ArrayDeque<>();
    private Optional<Boolean> lastUp = Optional.empty();

    Changes(Duration window) {
        this.window = window;
    }

    /** Remembers a look. Returns the number of changes within the window before it, this one included. */
    synchronized int look(boolean up, Instant now) {
        if (lastUp.filter(last -> last != up).isPresent()) {
            times.addLast(now);
        }
        lastUp = Optional.of(up);
        var start = now.minus(window);
        while (times.size() > REMEMBERED_MAX
                || !times.isEmpty() && !times.getFirst().isAfter(start)) {
            times.removeFirst();
        }
        return times.size();
    }
}
