package io.holdfast.lifecycle.port;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Services in memory, on the caller's thread. A test can act between the read and the write of another component. */
public final class FakeLifecycleStore implements LifecycleStore {
    private final Map<ServiceId, Service> services = new TreeMap<>();
    private final List<Move> moves = new ArrayList<>();
    private final List<List<FeedEntry>> feed = IntStream.range(0, SHARDS)
            .mapToObj(shard -> (List<FeedEntry>) new ArrayList<FeedEntry>())
            .toList();
    private final List<Long> ends = new ArrayList<>(List.of(0L, 0L, 0L, 0L));
    private Optional<String> pause = Optional.empty();

    public final AtomicInteger pages = new AtomicInteger();
    public final AtomicInteger feedReads = new AtomicInteger();
    public final AtomicInteger endReads = new AtomicInteger();
    public Runnable beforeCommit = () -> {};
    public Runnable afterFind = () -> {};
    public boolean isAway;
    public boolean trustsClock = true;

    @Override
    public Uni<Optional<Service>> find(ServiceId id) {
        return answer(() -> Optional.ofNullable(services.get(id))).invoke(() -> afterFind.run());
    }

    @Override
    public Uni<Boolean> commit(StatusChange change, Instant until) {
        return answer(() -> {
            var hook = beforeCommit;
            beforeCommit = () -> {};
            hook.run();
            var stored = Optional.ofNullable(services.get(change.id()));
            if (!stored.map(Service::version).equals(change.before().map(Service::version))) {
                return false;
            }
            change.after()
                    .ifPresentOrElse(after -> services.put(after.id(), after), () -> services.remove(change.id()));
            var shard = LifecycleStore.shardOf(change.id());
            ends.set(shard, ends.get(shard) + 1);
            feed.get(shard).add(new FeedEntry(shard, ends.get(shard), change.move()));
            moves.add(change.move());
            return true;
        });
    }

    /** As the retention does. */
    public synchronized void forgetFeed() {
        feed.forEach(List::clear);
    }

    @Override
    public Uni<Optional<Service>> replaceSpec(ServiceId id, ServiceSpec spec) {
        return answer(() -> Optional.ofNullable(services.computeIfPresent(id, (key, found) -> found.with(spec))));
    }

    @Override
    public Uni<Page<Service>> list(ServiceQuery query) {
        return answer(() -> new Page<>(
                services.values().stream()
                        .filter(query::matches)
                        .limit(query.limit())
                        .toList(),
                Optional.empty()));
    }

    @Override
    public Uni<Page<Service>> shard(int shard, int limit, Optional<Cursor> after) {
        pages.incrementAndGet();
        return answer(() -> {
            var found = services.values().stream()
                    .filter(service -> LifecycleStore.shardOf(service.id()) == shard)
                    .filter(service -> after.filter(
                                    cursor -> service.id().value().compareTo(cursor.position()) <= 0)
                            .isEmpty())
                    .limit(limit + 1L)
                    .toList();
            return found.size() <= limit
                    ? new Page<>(found, Optional.<Cursor>empty())
                    : new Page<>(
                            found.subList(0, limit),
                            Optional.of(new Cursor(found.get(limit - 1).id().value())));
        });
    }

    @Override
    public Uni<Page<Move>> history(ServiceId id, int limit, Optional<Cursor> after) {
        return answer(() -> new Page<>(
                moves.stream()
                        .filter(move -> move.service().equals(id))
                        .sorted((one, other) -> Long.compare(other.version(), one.version()))
                        .limit(limit)
                        .toList(),
                Optional.empty()));
    }

    @Override
    public Uni<FeedPosition> feedEnd() {
        endReads.incrementAndGet();
        return answer(() -> new FeedPosition(ends));
    }

    @Override
    public Uni<List<FeedEntry>> feed(int shard, long sequence, int limit) {
        feedReads.incrementAndGet();
        return answer(() -> feed.get(shard).stream()
                .filter(entry -> entry.sequence() > sequence)
                .limit(limit)
                .collect(Collectors.toList()));
    }

    @Override
    public Uni<Optional<String>> pause() {
        return answer(() -> pause);
    }

    @Override
    public Uni<Void> setPause(Optional<String> reason) {
        return answer(() -> {
            pause = reason;
            return null;
        });
    }

    @Override
    public boolean trustsClock() {
        return trustsClock;
    }

    private <T> Uni<T> answer(Supplier<T> step) {
        return Uni.createFrom().item(() -> {
            synchronized (this) {
                if (isAway) {
                    throw new StoreUnavailableException("The store is away.");
                }
                return step.get();
            }
        });
    }
}
