package io.holdfast.deploy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The operations of RFC 6902 that the overlays use: add, replace and remove. */
final class JsonPatch {
    private JsonPatch() {}

    static void apply(JsonNode operations, ObjectNode object) {
        for (var operation : operations) {
            var op = Yaml.string(Yaml.only(operation, "op", "path", "value").path("op"));
            if (op.equals("remove") == operation.has("value")) {
                throw new IllegalArgumentException("a value where none belongs, or none: " + operation);
            }
            var path = JsonPointer.compile(Yaml.string(operation.path("path")));
            var parent = object.at(path.head());
            var last = path.last().getMatchingProperty();
            if (parent instanceof ObjectNode fields) {
                change(fields, op, last, operation.path("value"));
            } else if (parent instanceof ArrayNode elements) {
                change(elements, op, last, operation.path("value"));
            } else {
                throw new IllegalArgumentException("nothing to change at " + path);
            }
        }
    }

    private static void change(ObjectNode fields, String op, String name, JsonNode value) {
        if (!op.equals("add") && !fields.has(name)) {
            throw new IllegalArgumentException("nothing to " + op + " at '" + name + "'");
        }
        switch (op) {
            case "add", "replace" -> fields.set(name, value.deepCopy());
            case "remove" -> fields.remove(name);
            default -> throw new IllegalArgumentException("unknown operation " + op);
        }
    }

    private static void change(ArrayNode elements, String op, String index, JsonNode value) {
        var end = elements.size() - (op.equals("add") ? 0 : 1);
        var at = index.equals("-") && op.equals("add") ? end : Integer.parseInt(index);
        if (at < 0 || at > end) {
            throw new IllegalArgumentException("no element " + index + " to " + op);
        }
        switch (op) {
            case "add" -> elements.insert(at, value.deepCopy());
            case "replace" -> elements.set(at, value.deepCopy());
            case "remove" -> elements.remove(at);
            default -> throw new IllegalArgumentException("unknown operation " + op);
        }
    }
}
