package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** One line per row, with tabs between the fields. */
final class PlainListing implements Listing {
    private final PrintStream out;
    private final List<Column> columns;

    PlainListing(PrintStream out, List<Column> columns) {
        this.out = out;
        this.columns = columns;
    }

    @Override
    public boolean page(JsonNode rows) {
        for (var row : rows) {
            out.println(columns.stream().map(column -> column.raw(row)).collect(Collectors.joining("\t")));
        }
        return !out.checkError();
    }

    @Override
    public void end() {
        out.flush();
    }
}
