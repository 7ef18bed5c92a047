package io.holdfast.store.embedded;

import static io.holdfast.store.embedded.LifecycleTables.feedKey;
import static io.holdfast.store.embedded.LifecycleTables.feedPrefix;
import static io.holdfast.store.embedded.LifecycleTables.moveKey;
import static io.holdfast.store.embedded.LifecycleTables.movePrefix;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.FeedPosition;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceQuery;
import io.holdfast.lifecycle.port.StatusChange;
import io.holdfast.store.embedded.engine.EmbeddedDatabase;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Services, their history and the feed in the embedded database. One writer checks and makes each commit. */
final class EmbeddedLifecycleStore implements LifecycleStore {
    private static final int EXAMINED_MAX = 1000;

    /** How many expired entries one commit deletes. It adds one, so they do not accumulate. */
    private static final int DELETED_MAX = 20;

    private static final String PAUSE = "pause";
    private static final Pattern VERSION_KEY = Pattern.compile("[0-9]{20}");

    private final EmbeddedDatabase database;
    private final LifecycleTables tables;

    EmbeddedLifecycleStore(EmbeddedDatabase database, LifecycleTables tables) {
        this.database = database;
        this.tables = tables;
    }

    @Override
    public Uni<Optional<Service>> find(ServiceId id) {
        return database.read(
                () -> Optional.ofNullable(tables.services().committed().get(id.value())));
    }

    @Override
    public Uni<Boolean> commit(StatusChange change, Instant until) {
        return database.change(() -> {
            var stored = tables.services().get(change.id().value());
            var possible = stored.map(Service::version).equals(change.before().map(Service::version))
                    && tables.moves().get(moveKey(change.move())).isEmpty();
            if (possible) {
                write(change, stored);
                deleteExpired(change.move(), until);
            }
            return possible;
        });
    }

    private void write(StatusChange change, Optional<Service> stored) {
        var id = change.id().value();
        change.after()
                .ifPresentOrElse(
                        after -> tables.services()
                                .put(
                                        id,
                                        stored.map(before -> after.with(before.spec()))
                                                .orElse(after)),
                        () -> tables.services().delete(id));
        tables.moves().put(moveKey(change.move()), change.move());
        var shard = LifecycleStore.shardOf(change.id());
        var sequence = tables.feedEnds().get(endKey(shard)).map(Long::valueOf).orElse(0L) + 1;
        tables.feed().put(feedKey(shard, sequence), change.move());
        tables.feedEnds().put(endKey(shard), Long.toString(sequence));
    }

    /** The oldest entries of the part, and the rows of the history that they name. */
    private void deleteExpired(Move move, Instant until) {
        var shard = LifecycleStore.shardOf(move.service());
        var oldest = move.at().minus(Duration.between(move.at(), until));
        feed(shard, 0).entrySet().stream()
                .limit(DELETED_MAX)
                .filter(entry -> entry.getValue().at().isBefore(oldest))
                .forEach(entry -> {
                    tables.feed().delete(entry.getKey());
                    tables.moves().delete(moveKey(entry.getValue()));
                });
    }

    @Override
    public Uni<Optional<Service>> replaceSpec(ServiceId id, ServiceSpec spec) {
        return database.change(() -> {
            var replaced = tables.services().get(id.value()).map(service -> service.with(spec));
            replaced.ifPresent(service -> tables.services().put(id.value(), service));
            return replaced;
        });
    }

    @Override
    public Uni<Page<Service>> list(ServiceQuery query) {
        return database.read(() -> {
            var after = query.after().map(Cursor::position).filter(position -> position.compareTo(query.prefix()) >= 0);
            var from = tables.services().committed().tailMap(after.orElse(query.prefix()), after.isEmpty());
            return page(
                    from, query.limit(), service -> service.id().value().startsWith(query.prefix()), query::matches);
        });
    }

    @Override
    public Uni<Page<Service>> shard(int shard, int limit, Optional<Cursor> after) {
        return database.read(() -> page(
                tables.services()
                        .committed()
                        .tailMap(after.map(Cursor::position).orElse(""), false),
                limit,
                service -> true,
                service -> LifecycleStore.shardOf(service.id()) == shard));
    }

    /** Reads until the page is full, or enough was examined. */
    private static Page<Service> page(
            Map<String, Service> from, int limit, Predicate<Service> inRange, Predicate<Service> wanted) {
        var found = new ArrayList<Service>();
        var examined = 0;
        for (var row : from.entrySet()) {
            if (!inRange.test(row.getValue())) {
                break;
            }
            if (wanted.test(row.getValue())) {
                found.add(row.getValue());
            }
            examined++;
            if (found.size() == limit || examined == EXAMINED_MAX) {
                return new Page<>(found, Optional.of(new Cursor(row.getKey())));
            }
        }
        return new Page<>(found, Optional.empty());
    }

    @Override
    public Uni<Page<Move>> history(ServiceId id, int limit, Optional<Cursor> after) {
        return database.read(() -> {
            var prefix = movePrefix(id);
            var from = after.map(cursor -> prefix + checked(cursor)).orElse(prefix);
            var found = new ArrayList<Move>();
            for (var row : tables.moves()
                    .committed()
                    .subMap(from, false, prefix + LifecycleTables.END, false)
                    .entrySet()) {
                found.add(row.getValue());
                if (found.size() == limit) {
                    return new Page<>(found, Optional.of(new Cursor(row.getKey().substring(prefix.length()))));
                }
            }
            return new Page<>(found, Optional.empty());
        });
    }

    private static String checked(Cursor cursor) {
        if (!VERSION_KEY.matcher(cursor.position()).matches()) {
            throw Cursor.malformed();
        }
        return cursor.position();
    }

    @Override
    public Uni<FeedPosition> feedEnd() {
        return database.read(() -> new FeedPosition(IntStream.range(0, SHARDS)
                .mapToObj(shard -> Long.valueOf(tables.feedEnds().committed().getOrDefault(endKey(shard), "0")))
                .toList()));
    }

    @Override
    public Uni<List<FeedEntry>> feed(int shard, long sequence, int limit) {
        return database.read(() -> feed(shard, sequence).entrySet().stream()
                .limit(limit)
                .map(row -> new FeedEntry(
                        shard,
                        Long.parseLong(row.getKey().substring(feedPrefix(shard).length())),
                        row.getValue()))
                .toList());
    }

    /** The committed entries after a number. */
    private Map<String, Move> feed(int shard, long sequence) {
        return tables.feed()
                .committed()
                .subMap(feedKey(shard, sequence), false, feedPrefix(shard) + LifecycleTables.END, false);
    }

    @Override
    public Uni<Optional<String>> pause() {
        return database.read(
                () -> Optional.ofNullable(tables.settings().committed().get(PAUSE)));
    }

    @Override
    public Uni<Void> setPause(Optional<String> reason) {
        return database.change(() -> {
            reason.ifPresentOrElse(why -> tables.settings().put(PAUSE, why), () -> tables.settings()
                    .delete(PAUSE));
            return null;
        });
    }

    /** The clock that sets deadlines is the one that ends them. */
    @Override
    public boolean trustsClock() {
        return true;
    }

    private static String endKey(int shard) {
        return Integer.toString(shard);
    }
}
