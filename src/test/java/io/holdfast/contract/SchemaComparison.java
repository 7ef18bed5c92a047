package io.holdfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/** Compares records with the schemas of the contract, and everything that they are made of. Collects what differs. */
final class SchemaComparison {
    private static final Map<Class<?>, String> SCALARS = Map.of(
            String.class, "string",
            JsonNode.class, "object",
            boolean.class, "boolean",
            Boolean.class, "boolean",
            int.class, "integer int32",
            Integer.class, "integer int32",
            long.class, "integer int64",
            Long.class, "integer int64");

    private final OpenApi contract;
    private final List<String> differences = new ArrayList<>();
    private final Set<String> compared = new TreeSet<>();

    SchemaComparison(OpenApi contract) {
        this.contract = contract;
    }

    List<String> differences() {
        return differences;
    }

    /** The names of the schemas that were met. */
    Set<String> compared() {
        return compared;
    }

    void compare(Class<?> type, String schemaName) {
        if (!compared.add(schemaName)) {
            return;
        }
        var schema = contract.schemas().path(schemaName);
        if (schema.isMissingNode()) {
            differences.add(type.getName() + " has no schema " + schemaName);
        } else if (type.isSealed()) {
            compareVariants(type, schemaName, schema);
        } else {
            compareFields(type, schemaName, schema);
        }
    }

    private void compareFields(Class<?> type, String schemaName, JsonNode schema) {
        var fields = WireRecords.fields(type);
        if (!fields.keySet().equals(names(schema.path("properties")))) {
            differences.add("%s has the fields %s, its record %s"
                    .formatted(schemaName, names(schema.path("properties")), fields.keySet()));
            return;
        }
        fields.forEach((name, component) -> {
            var property = schema.path("properties").path(name);
            compareType(schemaName + "." + name, component.getGenericType(), property);
            // The fields of requests are all nullable in Java; which of them are required is seen over HTTP.
            var always = component.getType().isPrimitive() || !takesNoOthers(schema) && !WireRecords.omitsNull(type);
            if (always && !texts(schema.path("required")).contains(name)) {
                differences.add(schemaName + "." + name + " is always there, so it is required");
            }
            if (nullable(property) && (component.getType().isPrimitive() || WireRecords.omitsNull(type))) {
                differences.add(schemaName + "." + name + " is never null");
            }
        });
    }

    /** Each record has the one variant with the same fields. */
    private void compareVariants(Class<?> type, String schemaName, JsonNode schema) {
        var left = new HashSet<>(schema.path("oneOf").findValuesAsText("$ref"));
        for (var variant : type.getPermittedSubclasses()) {
            var match = left.stream()
                    .filter(reference -> names(contract.at(reference).path("properties"))
                            .equals(WireRecords.fields(variant).keySet()))
                    .findAny();
            match.ifPresentOrElse(
                    reference -> compare(variant, WireRecords.schemaName(reference)),
                    () -> differences.add(schemaName + " has no variant for " + variant.getName()));
            match.ifPresent(left::remove);
        }
        left.forEach(reference -> differences.add(schemaName + " has the variant " + reference + " without a record"));
    }

    private void compareType(String where, Type type, JsonNode property) {
        var schema = contract.resolved(property);
        if (SCALARS.containsKey(type)) {
            expect(where, SCALARS.get(type), scalar(schema));
        } else if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            expect(where, "array", scalar(schema));
            compareType(where + "[]", list.getActualTypeArguments()[0], schema.path("items"));
        } else if (type instanceof ParameterizedType map && map.getRawType() == Map.class) {
            expect(where, "object", scalar(schema));
            compareType(where + "{}", map.getActualTypeArguments()[1], schema.path("additionalProperties"));
        } else if (property.has("$ref")) {
            compare((Class<?>) type, WireRecords.schemaName(property.get("$ref").textValue()));
        } else {
            differences.add(where + " refers to no schema, and is " + type.getTypeName() + " in the record");
        }
    }

    private void expect(String where, String inRecord, String inContract) {
        if (!inRecord.equals(inContract)) {
            differences.add("%s is %s, in its record %s".formatted(where, inContract, inRecord));
        }
    }

    /** Null is left out of it. */
    private static String scalar(JsonNode schema) {
        var types = new TreeSet<>(
                schema.path("type").isArray()
                        ? texts(schema.path("type"))
                        : Set.of(schema.path("type").asText()));
        types.remove("null");
        return String.join(" or ", types)
                + (schema.path("format").asText().startsWith("int")
                        ? " " + schema.path("format").asText()
                        : "");
    }

    private boolean nullable(JsonNode property) {
        return texts(contract.resolved(property).path("type")).contains("null");
    }

    static boolean takesNoOthers(JsonNode schema) {
        return schema.path("additionalProperties").isBoolean();
    }

    private static Set<String> names(JsonNode object) {
        var names = new TreeSet<String>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static Set<String> texts(JsonNode array) {
        var texts = new TreeSet<String>();
        StreamSupport.stream(array.spliterator(), false).forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
