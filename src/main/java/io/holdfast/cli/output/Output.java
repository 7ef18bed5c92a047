package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Where results are written, in the form that was asked for. */
public final class Output {
    private final PrintStream out;
    private final Format format;
    private final AnsiStyle style;
    private final Consumer<String> notes;

    /** @param notes for a person who looks at it */
    public Output(PrintStream out, Format format, AnsiStyle style, Consumer<String> notes) {
        this.notes = notes;
        this.out = out;
        this.format = format;
        this.style = style;
    }

    public Format format() {
        return format;
    }

    /** Many of a kind, page after page. */
    public Listing listing(List<Column> columns) {
        return switch (format) {
            case TABLE -> new TableListing(out, columns, style, notes);
            case JSON -> new JsonListing(out);
            case PLAIN -> new PlainListing(out, columns);
        };
    }

    /** What an answer has many of, for people with their headings; in JSON all of the answer. */
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

    /** One thing, a line for each of its fields; in JSON all of it, whatever fields are named. */
    public void object(JsonNode thing, List<String> fields) {
        if (format == Format.JSON) {
            json(thing);
            return;
        }
        var shown = new ArrayList<>(fields);
        shown.removeIf(field -> isEmpty(thing.path(field)));
        var width =
                shown.stream().mapToInt(field -> label(field).length()).max().orElse(0);
        for (var field : shown) {
            if (format == Format.PLAIN) {
                out.println(field + "\t" + new Column(field, field).raw(thing));
            } else {
                lines(pad(label(field), width), thing, field);
            }
        }
        out.flush();
    }

    /** All its fields, in the order in which they came. */
    public void object(JsonNode thing) {
        var fields = new ArrayList<String>();
        thing.fieldNames().forEachRemaining(fields::add);
        object(thing, fields);
    }

    void json(JsonNode thing) {
        out.println(thing);
        out.flush();
    }

    /** For people only. */
    public void message(String sentence) {
        if (format == Format.TABLE) {
            out.println(sentence);
            out.flush();
        }
    }

    /** What is shown in words has no unit. */
    private static String label(String field) {
        return field.endsWith(Column.MILLIS) ? field.substring(0, field.length() - Column.MILLIS.length()) : field;
    }

    /** A list of objects has a line for each. */
    private void lines(String label, JsonNode thing, String field) {
        var value = thing.path(field);
        var heading = style.heading(label);
        if (value.isArray() && value.size() > 0 && value.get(0).isObject()) {
            for (var one : value) {
                out.println(heading + "  " + Column.text(one, ", "));
                heading = pad("", label.length());
            }
        } else {
            var text = new Column(field, field).human(thing);
            out.println(heading + "  " + style.word(text, text));
        }
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isMissingNode() || value.isNull() || value.isContainerNode() && value.isEmpty();
    }

    static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** Whatever a server says, it stays on its line and moves no cursor. */
    public static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }
}
