package io.holdfast.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How often the containers of a workload restarted within a window, and whether they were in back-off. Kubernetes only
 * has the restarts since the pod started, so earlier looks are remembered. Forgets pods that are no longer listed.
 * Thread-safe.
 */
final class Restarts {
    private final Duration window;
    private Map<Key, History> histories = Map.of();

    Restarts(Duration window) {
        this.window = window;
    }

    private record Key(String pod, String container) {}

    /**
     * What happened to a container within the window.
     *
     * @param backedOff whether it waited in back-off at a look
     */
    record Recent(int restarts, boolean backedOff) {}

    /** Of one look. */
    interface Recents {
        Recent of(Pod pod, Pod.Container container);
    }

    /**
     * Remembers a look. A pod that started within the window counts all its restarts, an older one those since the first
     * look within the window.
     */
    synchronized Recents look(List<Pod> pods, Instant now) {
        var next = new HashMap<Key, History>();
        var recents = new HashMap<Key, Recent>();
        var start = now.minus(window);
        for (var pod : pods) {
            var young = pod.startedAt().isAfter(start);
            for (var container : pod.containers()) {
                var key = new Key(pod.uid(), container.name());
                var history = histories.getOrDefault(key, new History());
                history.look(container, start, now);
                next.put(key, history);
                var before = young ? 0 : history.first();
                recents.put(key, new Recent(container.restarts() - before, history.backedOff.isPresent()));
            }
        }
        histories = next;
        return (pod, container) -> recents.get(new Key(pod.uid(), container.name()));
    }

    /** The looks at one container. */
    private static final class History {
        private final Deque<Run> runs = new ArrayDeque<>();
        private Optional<Instant> backedOff = Optional.empty();

        /** Looks in a row that found the same number of restarts. */
        private record Run(int restarts, Instant lastSeen) {}

        void look(Pod.Container container, Instant start, Instant now) {
            runs.removeIf(run -> !run.lastSeen().isAfter(start) || run.restarts() >= container.restarts());
            runs.addLast(new Run(container.restarts(), now));
            if (runs.size() > Changes.REMEMBERED_MAX + 1) {
                runs.removeFirst();
            }
            backedOff = container.isInBackOff() ? Optional.of(now) : backedOff.filter(at -> at.isAfter(start));
        }

        int first() {
            return runs.getFirst().restarts();
        }
    }
}
