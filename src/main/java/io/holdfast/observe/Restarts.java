package io.holdfast.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How often the containers of a workload restarted within a window. Kubernetes only has their restarts since the pod
 * started, so earlier looks are remembered. Forgets pods that are no longer listed. Thread-safe.
 */
final class Restarts {
    private final Duration window;
    private Map<Key, Deque<Run>> runs = Map.of();

    Restarts(Duration window) {
        this.window = window;
    }

    private record Key(String pod, String container) {}

    /** Looks in a row that found the same number of restarts. */
    private record Run(int restarts, Instant lastSeen) {}

    /**
     * Remembers a look. A pod that started within the window counts all its restarts, an older one those since the first
     * look within the window.
     */
    synchronized Counts look(List<Pod> pods, Instant now) {
        var next = new HashMap<Key, Deque<Run>>();
        var counts = new HashMap<Key, Integer>();
        for (var pod : pods) {
            var young = pod.startedAt().isAfter(now.minus(window));
            for (var container : pod.containers()) {
                var key = new Key(pod.uid(), container.name());
                var seen = remember(runs.getOrDefault(key, new ArrayDeque<>()), container.restarts(), now);
                next.put(key, seen);
                counts.put(
                        key, container.restarts() - (young ? 0 : seen.getFirst().restarts()));
            }
        }
        runs = next;
        return (pod, container) -> counts.get(new Key(pod.uid(), container.name()));
    }

    /** Of one look. */
    interface Counts {
        int of(Pod pod, Pod.Container container);
    }

    private Deque<Run> remember(Deque<Run> seen, int restarts, Instant now) {
        var start = now.minus(window);
        seen.removeIf(run -> !run.lastSeen().isAfter(start) || run.restarts() >= restarts);
        seen.addLast(new Run(restarts, now));
        if (seen.size() > Changes.REMEMBERED_MAX + 1) {
            seen.removeFirst();
        }
        return seen;
    }
}
