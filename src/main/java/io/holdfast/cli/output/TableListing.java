package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** A table for people. A column is as wide as its widest cell so far, so each page can be printed at once. */
final class TableListing implements Listing {
    /** A longer cell is printed in full, but does not widen the column. */
    private static final int WIDTH_MAX = 48;

    private static final String GAP = "  ";

    private final PrintStream out;
    private final List<Column> columns;
    private final AnsiStyle style;
    private final Consumer<String> notes;
    private final int[] widths;
    private boolean headingPrinted;

    TableListing(PrintStream out, List<Column> columns, AnsiStyle style, Consumer<String> notes) {
        this.notes = notes;
        this.out = out;
        this.columns = columns;
        this.style = style;
        this.headingPrinted =
                columns.stream().allMatch(column -> column.heading().isEmpty());
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
        if (!headingPrinted && !rows.isEmpty()) {
            headingPrinted = true;
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
        if (!headingPrinted) {
            notes.accept("None found.");
        }
    }

    private void line(IntFunction<String> cells) {
        var line = new StringBuilder();
        for (var i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "" : GAP).append(cells.apply(i));
        }
        out.println(line);
    }

    /** Pads all columns but the last. */
    private String cell(int i, String text) {
        return i == widths.length - 1 ? text : Output.pad(text, widths[i]);
    }
}
