package io.holdfast.store.embedded.engine;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/**
 * A table in memory, for decisions and reads, and in SQLite.
 *
 * <p>Any thread may read {@link #committed()}. Only the writer calls the other methods. A change writes into its draft,
 * a batch collects drafts, and a batch becomes visible once it is on disk.
 */
public final class EmbeddedTable<V> {
    /** Writes values as text, and reads equal values back. */
    public interface Codec<V> {
        Codec<String> TEXT = of(Function.identity(), Function.identity());

        /** For values that contain their keys, or do not need them. */
        static <V> Codec<V> of(Function<V, String> write, Function<String, V> read) {
            return new Codec<>() {
                @Override
                public String encode(V value) {
                    return write.apply(value);
                }

                @Override
                public V decode(String key, String text) {
                    return read.apply(text);
                }
            };
        }

        String encode(V value);

        V decode(String key, String text);

        /**
         * Adds what is only in memory to a value that was read back after a failed commit.
         *
         * @param stored the value in the file
         * @param published the last committed value, which callers may have read
         */
        default V readBack(V stored, Optional<V> published) {
            return stored;
        }
    }

    private final String name;
    private final Codec<V> codec;
    private final long format;
    private volatile ConcurrentSkipListMap<String, V> committed = new ConcurrentSkipListMap<>();
    private final Map<String, Optional<V>> batch = new HashMap<>();
    private final Map<String, Optional<V>> draft = new HashMap<>();

    public EmbeddedTable(String name, Codec<V> codec) {
        this(name, codec, 1);
    }

    /** @param format the first format of the file in which the rows of this table have their present form */
    public EmbeddedTable(String name, Codec<V> codec, long format) {
        this.name = name;
        this.codec = codec;
        this.format = format;
    }

    long format() {
        return format;
    }

    public ConcurrentNavigableMap<String, V> committed() {
        return committed;
    }

    public Optional<V> get(String key) {
        var written = draft.getOrDefault(key, batch.get(key));
        return written == null ? Optional.ofNullable(committed.get(key)) : written;
    }

    public void put(String key, V value) {
        draft.put(key, Optional.of(value));
    }

    public void delete(String key) {
        draft.put(key, Optional.empty());
    }

    void keepDraft() {
        batch.putAll(draft);
        draft.clear();
    }

    void dropDraft() {
        draft.clear();
    }

    boolean unchanged() {
        return batch.isEmpty();
    }

    void load(Connection connection) throws SQLException {
        discard();
        var loaded = new ConcurrentSkipListMap<String, V>();
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS " + name
                    + " (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
            try (var rows = statement.executeQuery("SELECT key, value FROM " + name)) {
                while (rows.next()) {
                    var key = rows.getString(1);
                    loaded.put(key, codec.decode(key, rows.getString(2)));
                }
            }
        }
        // In one step, so that concurrent readers see either the old or the new content.
        committed = loaded;
    }

    /** Only the records of the failed batch are in doubt. All others are the same in the file and in memory. */
    void readBack(Connection connection) throws SQLException {
        draft.clear();
        try (var select = connection.prepareStatement("SELECT value FROM " + name + " WHERE key = ?")) {
            for (var change : batch.entrySet()) {
                var key = change.getKey();
                select.setString(1, key);
                try (var rows = select.executeQuery()) {
                    change.setValue(rows.next() ? Optional.of(stored(key, rows.getString(1))) : Optional.empty());
                }
            }
        }
    }

    private V stored(String key, String text) {
        return codec.readBack(codec.decode(key, text), Optional.ofNullable(committed.get(key)));
    }

    void write(Connection connection) throws SQLException {
        if (unchanged()) {
            return;
        }
        try (var put = connection.prepareStatement("INSERT INTO " + name
                        + " (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value");
                var delete = connection.prepareStatement("DELETE FROM " + name + " WHERE key = ?")) {
            for (var change : batch.entrySet()) {
                var statement = change.getValue().isPresent() ? put : delete;
                statement.setString(1, change.getKey());
                if (change.getValue().isPresent()) {
                    statement.setString(2, codec.encode(change.getValue().get()));
                }
                statement.addBatch();
            }
            put.executeBatch();
            delete.executeBatch();
        }
    }

    void discard() {
        draft.clear();
        batch.clear();
    }

    void publish() {
        batch.forEach((key, value) -> value.ifPresentOrElse(v -> committed.put(key, v), () -> committed.remove(key)));
        batch.clear();
    }
}
