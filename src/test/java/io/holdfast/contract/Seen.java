package io.holdfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the tests of this JVM have seen of the contract: answers, events and fields. It is kept in a file, because each
 * service that Quarkus starts for tests has classes of its own.
 */
final class Seen {
    private static final Path FILE =
            Path.of("target", "contract", "seen-" + ProcessHandle.current().pid() + ".txt");
    private static final Set<String> WRITTEN = ConcurrentHashMap.newKeySet();

    private Seen() {}

    /** @param detail the code of a problem, the name of an event, or nothing */
    static String answer(String operation, int status, String detail) {
        return "%s %d %s".formatted(operation, status, detail).strip();
    }

    static String present(String schema, String field) {
        return "present " + schema + "." + field;
    }

    static String absent(String schema, String field) {
        return "absent " + schema + "." + field;
    }

    static String ran(String testClass) {
        return "ran " + testClass;
    }

    static void note(String what) {
        if (WRITTEN.add(what)) {
            write(what);
        }
    }

    /** Notes which fields a valid value has, at every depth, and which it could have and does not. */
    static void noteFields(OpenApi contract, JsonNode schema, JsonNode value) {
        var resolved = contract.resolved(schema);
        if (resolved.has("oneOf")) {
            resolved.get("oneOf")
                    .valueStream()
                    .filter(variant -> fits(contract.resolved(variant), value))
                    .findFirst()
                    .ifPresent(variant -> noteFields(contract, variant, value));
        } else if (value.isArray()) {
            value.forEach(item -> noteFields(contract, resolved.path("items"), item));
        } else {
            resolved.path("properties").properties().forEach(property -> {
                var field = value.get(property.getKey());
                if (schema.has("$ref")) {
                    var name = WireRecords.schemaName(schema.get("$ref").textValue());
                    note(field == null ? absent(name, property.getKey()) : present(name, property.getKey()));
                }
                if (field != null) {
                    noteFields(contract, property.getValue(), field);
                }
            });
        }
    }

    private static boolean fits(JsonNode variant, JsonNode value) {
        var properties = variant.path("properties");
        return value.propertyStream()
                        .allMatch(field -> properties.has(field.getKey())
                                && properties
                                        .get(field.getKey())
                                        .path("const")
                                        .asText(field.getValue().asText())
                                        .equals(field.getValue().asText()))
                && variant.path("required").valueStream().allMatch(name -> value.has(name.textValue()));
    }

    static Set<String> all() {
        try {
            return Files.exists(FILE) ? new TreeSet<>(Files.readAllLines(FILE)) : Set.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static synchronized void write(String line) {
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            FILE.toFile().deleteOnExit();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
