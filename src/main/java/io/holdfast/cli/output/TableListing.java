package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Columns for people. A column is as wide as the widest cell so far: nothing waits for the last page. */
final class TableListing implements Listing {
    /** One long name must not push all other rows apart; it is written in full and its row is longer. */
    private static final int WIDTH_MAX = 48;

    private static final String GAP = "  ";

    private final PrintStream out;
    private final List<Column> columns;
    private final AnsiStyle style;
    private final Consumer<String> notes;
    private final int[] widths;
    private boolean begun;

    TableListing(PrintStream out, List<Column> columns, AnsiStyle style, Consumer<String> notes) {
        this.notes = notes;
        this.out = out;
        this.columns = columns;
        this.style = style;
        this.begun = columns.stream().allMatch(column -> column.heading().isEmpty());
        this.widths =
                columns.stream().mapToInt(column -> column.heading().length()).toArray();
    }

    @Override
    public boolean page(JsonNode rows) {
        for (var row : rows) {
            for (var i = 0; i < widths.length; i++) {
                var length = columns.get(i).human(row).length();
                widths[i] = Math.max(widths[i], Math.min(length, WIDTH_MAX));
            }
        }
        if (!begun && !rows.isEmpty()) {
            begun = true;
            line(i -> style.heading(cell(i, columns.get(i).heading())));
        }
        for (var row : rows) {
            line(i -> {
                var text = columns.get(i).human(row);
                return style.word(text, cell(i, text));
            });
        }
        return !out.checkError();
    }

    @Override
    public void end() {
        out.flush();
        if (!begun) {
            notes.accept("There are none.");
        }
    }

    private void line(IntFunction<String> cells) {
        var line = new StringBuilder();
        for (var i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "" : GAP).append(cells.apply(i));
        }
        out.println(line);
    }

    /** The last one needs no padding. */
    private String cell(int i, String text) {
        return i == widths.length - 1 ? text : Output.pad(text, widths[i]);
    }
}
