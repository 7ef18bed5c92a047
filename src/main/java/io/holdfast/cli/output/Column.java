package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A column of a listing.
 *
 * @param field a JSON field; dots lead into nested objects
 */
public record Column(String heading, String field) {
    static final String MILLIS = "_ms";

    /** For people: durations in words, a dash for no value. */
    public String human(JsonNode row) {
        var value = value(row);
        if (field.endsWith(MILLIS) && value.isNumber()) {
            return DurationText.words(value.asLong());
        }
        var text = text(value, ", ");
        return text.isEmpty() ? "-" : text;
    }

    /** For programs: unchanged. */
    String raw(JsonNode row) {
        return text(value(row), ",");
    }

    private JsonNode value(JsonNode row) {
        if (row.has(field)) {
            return row.path(field);
        }
        var value = row;
        for (var name : field.split("\\.")) {
            value = value.path(name);
        }
        return value;
    }

    /** Lists and objects on one line. */
    public static String text(JsonNode value, String separator) {
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(one -> text(one, separator))
                    .collect(Collectors.joining(separator));
        }
        if (value.isObject()) {
            return value.properties().stream()
                    .map(entry -> entry.getKey() + "=" + text(entry.getValue(), separator))
                    .collect(Collectors.joining(" "));
        }
        return value.isNull() || value.isMissingNode() ? "" : Output.oneLine(value.asText());
    }
}
