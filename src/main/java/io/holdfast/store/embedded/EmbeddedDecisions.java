package io.holdfast.store.embedded;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.power.model.Decision;
import io.holdfast.registry.DatabaseId;
import io.holdfast.store.embedded.engine.EmbeddedDatabase;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The decisions about each database, newest first. A key is the database's identifier, a blank, the time counted
 * backwards, and a serial number. No identifier contains a blank.
 */
final class EmbeddedDecisions {
    private static final Pattern KEY_AFTER_PREFIX = Pattern.compile("[0-9]{19}-[0-9]+");
    /** Sorts after every digit and hyphen. */
    private static final String END = "~";

    private final EmbeddedDatabase database;
    private final EmbeddedTable<Decision> table;

    EmbeddedDecisions(EmbeddedDatabase database, EmbeddedTable<Decision> table) {
        this.database = database;
        this.table = table;
    }

    /** Also removes the expired decisions about the same database. */
    Uni<Void> record(Decision decision, Instant until) {
        return database.change(() -> {
            var id = decision.database();
            var retention = Duration.between(decision.by().at(), until);
            table.put(newKey(decision), decision);
            var oldest = stem(id, decision.by().at().minus(retention)) + END;
            List.copyOf(table.committed()
                            .subMap(oldest, false, prefix(id) + END, false)
                            .keySet())
                    .forEach(table::delete);
            return null;
        });
    }

    Uni<Page<Decision>> page(DatabaseId id, int limit, Optional<Cursor> after) {
        return database.read(() -> {
            var prefix = prefix(id);
            var found = new ArrayList<Decision>();
            var from = after.map(cursor -> checked(cursor, prefix)).orElse(prefix);
            for (var row :
                    table.committed().subMap(from, false, prefix + END, false).entrySet()) {
                found.add(row.getValue());
                if (found.size() == limit) {
                    return new Page<>(found, Optional.of(new Cursor(row.getKey())));
                }
            }
            return new Page<>(found, Optional.empty());
        });
    }

    private static String checked(Cursor cursor, String prefix) {
        var position = cursor.position();
        if (position.startsWith(prefix)
                && KEY_AFTER_PREFIX.matcher(position.substring(prefix.length())).matches()) {
            return position;
        }
        throw Cursor.malformed();
    }

    private String newKey(Decision decision) {
        var stem = stem(decision.database(), decision.by().at());
        var serial = 0;
        while (table.get(stem + "-" + serial).isPresent()) {
            serial++;
        }
        return stem + "-" + serial;
    }

    private static String stem(DatabaseId id, Instant at) {
        return prefix(id) + "%019d".formatted(Long.MAX_VALUE - at.toEpochMilli());
    }

    private static String prefix(DatabaseId id) {
        return id.value() + " ";
    }
}
