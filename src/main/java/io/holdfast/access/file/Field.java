package io.holdfast.access.file;

import io.holdfast.access.file.YamlNode.Mapping;
import io.holdfast.access.file.YamlNode.Sequence;
import io.holdfast.access.file.YamlNode.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A node and its path in the file. Reads what must be there, and reports an error if it is something else. */
record Field(String path, YamlNode node, FileErrors errors) {
    /** Words without quotes that YAML does not read as text. */
    private static final Pattern NOT_TEXT = Pattern.compile(
            "|~|null|true|false|yes|no|on|off|[-+]?(\\d[\\d_]*(\\.\\d*)?|\\.\\d+)([e][-+]?\\d+)?|0x[0-9a-f]+|0o[0-7]+"
                    + "|[-+]?\\.inf|\\.nan",
            Pattern.CASE_INSENSITIVE);

    /** The fields of a mapping, by key. Reports keys that are unknown or repeated. */
    Map<String, Field> fields(List<String> known) {
        var fields = new LinkedHashMap<String, Field>();
        if (!(node instanceof Mapping mapping)) {
            errors.add(this, "must be a mapping with " + String.join(", ", known) + ", not " + node.word());
            return fields;
        }
        for (var entry : mapping.entries()) {
            var key = entry.key().value();
            var at = below(FileErrors.shown(key));
            if (!known.contains(key)) {
                errors.unknown(entry.key().line(), at, key, "a key here", known);
            } else if (fields.containsKey(key)) {
                errors.add(entry.key().line(), at, "is there twice; keep one");
            } else {
                fields.put(key, new Field(at, entry.value(), errors));
            }
        }
        return fields;
    }

    private String below(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** The items of a list, which must not be empty. */
    List<Field> items() {
        var items = new ArrayList<Field>();
        if (!(node instanceof Sequence list)) {
            errors.add(this, "must be a list, not " + node.word());
            return items;
        }
        if (list.items().isEmpty()) {
            errors.add(this, "is an empty list; give it an item, or remove it");
        }
        for (var item : list.items()) {
            items.add(new Field(path + "[" + items.size() + "]", item, errors));
        }
        return items;
    }

    /** @param expected what belongs here, for the error */
    Optional<String> text(String expected) {
        if (!(node instanceof Text text)) {
            errors.add(this, "must be %s, not %s".formatted(expected, node.word()));
            return Optional.empty();
        }
        if (text.plain() && NOT_TEXT.matcher(text.value()).matches()) {
            errors.add(
                    this,
                    text.value().isEmpty()
                            ? "must be " + expected + ", not nothing"
                            : "must be %s; put '%s' in quotes if it is one".formatted(expected, text.value()));
            return Optional.empty();
        }
        return Optional.of(text.value());
    }

    /** A field of this mapping. Reports that it is missing, unless this is no mapping, which is reported already. */
    Optional<Field> required(Map<String, Field> fields, String key) {
        if (!fields.containsKey(key) && node instanceof Mapping) {
            errors.add(this, key + " is missing");
        }
        return Optional.ofNullable(fields.get(key));
    }

    /** One of some words, and not one that was there before. */
    Optional<String> oneOf(List<String> known, String what, Distinct distinct) {
        return text(what).filter(text -> {
            distinct.add(this, text);
            if (!known.contains(text)) {
                errors.unknown(node.line(), path, text, what, known);
            }
            return known.contains(text);
        });
    }

    Optional<String> matching(Pattern pattern, String expected, Distinct distinct) {
        var text = matching(pattern, expected);
        text.ifPresent(value -> distinct.add(this, value));
        return text;
    }

    Optional<String> matching(Pattern pattern, String expected) {
        return text(expected).filter(text -> {
            var fits = pattern.matcher(text).matches();
            if (!fits) {
                wrong(text, expected);
            }
            return fits;
        });
    }

    void wrong(String text, String expected) {
        errors.add(this, "must be %s, not '%s'".formatted(expected, FileErrors.shown(text)));
    }
}
