package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Prints results in the chosen {@link Format}. */
public final class Output {
    private final PrintStream out;
    private final Format format;
    private final AnsiStyle style;
    private final Consumer<String> notes;

    /** @param notes messages for people at a terminal */
    public Output(PrintStream out, Format format, AnsiStyle style, Consumer<String> notes) {
        this.notes = notes;
        this.out = out;
        this.format = format;
        this.style = style;
    }

    public Format format() {
        return format;
    }

    public Listing listing(List<Column> columns) {
        return switch (format) {
            case TABLE -> new TableListing(out, columns, style, notes);
            case JSON -> new JsonListing(out);
            case PLAIN -> new PlainListing(out, columns);
        };
    }

    /** For a list without an end, whose rows are read as they come: in JSON one line per row. */
    public Listing stream(List<Column> columns) {
        return format == Format.JSON ? new JsonLines(out) : listing(columns);
    }

    /** Prints the rows of an answer; in JSON the whole answer. */
    public void report(JsonNode answer, JsonNode rows, List<Column> columns) {
        if (format == Format.JSON) {
            json(answer);
            return;
        }
        var listing = listing(columns);
        listing.page(rows);
        listing.end();
    }

    public void removed(String name) {
        message("Removed '%s'.".formatted(name));
        if (format != Format.TABLE) {
            object(JsonNodeFactory.instance.objectNode().put("removed", true));
        }
    }

    /** Prints one object with one line per field; in JSON with all fields. */
    public void object(JsonNode object, List<String> fields) {
        if (format == Format.JSON) {
            json(object);
            return;
        }
        var shown = new ArrayList<>(fields);
        shown.removeIf(field -> isEmpty(object.path(field)));
        var width =
                shown.stream().mapToInt(field -> label(field).length()).max().orElse(0);
        for (var field : shown) {
            if (format == Format.PLAIN) {
                out.println(field + "\t" + new Column(field, field).raw(object));
            } else {
                lines(pad(label(field), width), object, field);
            }
        }
        out.flush();
    }

    /** With all fields, in the order of the answer. */
    public void object(JsonNode object) {
        var fields = new ArrayList<String>();
        object.fieldNames().forEachRemaining(fields::add);
        object(object, fields);
    }

    void json(JsonNode object) {
        out.println(object);
        out.flush();
    }

    /** Prints a sentence, only if the output is for people. */
    public void message(String sentence) {
        if (format == Format.TABLE) {
            out.println(sentence);
            out.flush();
        }
    }

    /** Durations are shown in words, so their label has no unit. */
    private static String label(String field) {
        return field.endsWith(Column.MILLIS) ? field.substring(0, field.length() - Column.MILLIS.length()) : field;
    }

    /** Prints one line, or one per element of a list of objects. */
    private void lines(String label, JsonNode object, String field) {
        var value = object.path(field);
        var heading = style.heading(label);
        if (value.isArray() && value.size() > 0 && value.get(0).isObject()) {
            for (var one : value) {
                out.println(heading + "  " + Column.text(one, ", "));
                heading = pad("", label.length());
            }
        } else {
            var text = new Column(field, field).human(object);
            out.println(heading + "  " + style.word(text, text));
        }
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isMissingNode() || value.isNull() || value.isContainerNode() && value.isEmpty();
    }

    static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** Replaces control characters, so that text from a server cannot move the cursor. */
    public static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }
}
