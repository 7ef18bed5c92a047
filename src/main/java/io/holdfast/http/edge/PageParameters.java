package io.holdfast.http.edge;

import static io.holdfast.http.edge.Parameters.optional;

import io.holdfast.kernel.Cursor;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestQuery;

/** The query parameters of a list: page size and cursor. */
public record PageParameters(@RestQuery String limit, @RestQuery String cursor) {
    public Optional<Integer> parsedLimit() {
        return optional(limit, text -> Parameters.smallNumber("limit", text));
    }

    public Optional<Cursor> parsedCursor() {
        return optional(cursor, Cursor::parse);
    }
}
