package io.holdfast.lifecycle.feed;

import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.smallrye.mutiny.Uni;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads parts of the feed, and remembers the last ones, because most readers are at the same place. The moves between
 * two numbers never change, so a part that was read is valid for all readers. Thread-safe.
 */
final class FeedCache {
    private static final int PARTS_MAX = 64;

    private final LifecycleStore store;
    private final int batchMax;
    private final Map<Key, Uni<Part>> parts = new LinkedHashMap<>(16, 0.75f, true);

    FeedCache(LifecycleStore store, int batchMax) {
        this.store = store;
        this.batchMax = batchMax;
    }

    private record Key(int shard, long after, long end) {}

    /**
     * @param entries those of the numbers up to {@code end} that still exist
     * @param end the last number of the part
     */
    record Part(int shard, List<FeedEntry> entries, boolean hasGap, long end) {}

    /** @param end the last number that is known to exist */
    Uni<Part> read(int shard, long after, long end) {
        var key = new Key(shard, after, Math.min(end, after + batchMax));
        synchronized (parts) {
            var found = parts.get(key);
            if (found == null) {
                found = load(key)
                        .onFailure()
                        .invoke(() -> forget(key))
                        .memoize()
                        .indefinitely();
                parts.put(key, found);
                if (parts.size() > PARTS_MAX) {
                    parts.remove(parts.keySet().iterator().next());
                }
            }
            return found;
        }
    }

    private void forget(Key key) {
        synchronized (parts) {
            parts.remove(key);
        }
    }

    private Uni<Part> load(Key key) {
        var count = (int) (key.end() - key.after());
        return store.feed(key.shard(), key.after(), count).map(read -> {
            var entries =
                    read.stream().filter(entry -> entry.sequence() <= key.end()).toList();
            return new Part(key.shard(), entries, entries.size() < count, key.end());
        });
    }
}
