package io.holdfast.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** ConfigMaps made of literals and files, and named after what is in them, so that a change replaces the pods. */
final class GeneratedConfigMaps {
    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
    private static final Set<String> REFERENCES = Set.of("configMapRef", "configMapKeyRef", "configMap");

    private final Map<String, ObjectNode> suffixed = new LinkedHashMap<>();

    /** @param existing the ConfigMap of that name, for a generator that merges; may be missing */
    ObjectNode generate(Path folder, JsonNode generator, JsonNode existing) {
        Yaml.only(generator, "name", "behavior", "literals", "files", "options");
        var name = Yaml.string(generator.path("name"));
        var made =
                switch (generator.path("behavior").asText("create")) {
                    case "create" -> configMap(name, options(generator));
                    case "merge" -> merged(name, existing, generator);
                    default -> throw new IllegalArgumentException("unknown behavior in " + generator);
                };
        var data = made.withObject("/data");
        Yaml.texts(generator.path("literals")).forEach(literal -> {
            var parts = literal.split("=", 2);
            if (parts.length < 2 || parts[1].startsWith("\"") || parts[1].startsWith("'")) {
                throw new IllegalArgumentException("want key=value without quotes: " + literal);
            }
            data.put(parts[0], parts[1]);
        });
        Yaml.texts(generator.path("files")).forEach(file -> {
            var path = folder.resolve(file.substring(file.indexOf('=') + 1));
            var key = file.contains("=")
                    ? file.substring(0, file.indexOf('='))
                    : path.getFileName().toString();
            data.put(key, Yaml.text(path));
        });
        return made;
    }

    private ObjectNode configMap(String name, JsonNode options) {
        var made = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
        var metadata = made.putObject("metadata").put("name", name);
        for (var field : Set.of("labels", "annotations")) {
            if (options.has(field)) {
                metadata.set(field, options.path(field).deepCopy());
            }
        }
        if (!options.path("disableNameSuffixHash").asBoolean() && suffixed.put(name, made) != null) {
            throw new IllegalArgumentException("two generators for " + name);
        }
        return made;
    }

    private static JsonNode options(JsonNode generator) {
        var none = JsonNodeFactory.instance.objectNode();
        return Yaml.only(
                generator.has("options") ? generator.path("options") : none,
                "labels",
                "annotations",
                "disableNameSuffixHash");
    }

    private static ObjectNode merged(String name, JsonNode existing, JsonNode generator) {
        if (!(existing instanceof ObjectNode found) || generator.has("options")) {
            throw new IllegalArgumentException("nothing to merge with, or options where none belong: " + name);
        }
        return found;
    }

    /** Gives the generated ones their last names, and those to whatever refers to them. */
    void suffix(Iterable<ObjectNode> objects) {
        var names = new HashMap<String, String>();
        suffixed.forEach((name, made) -> {
            names.put(name, name + "-" + hash(made.path("data")));
            made.withObject("/metadata").put("name", names.get(name));
        });
        objects.forEach(object -> rename(object, names));
    }

    private static void rename(JsonNode node, Map<String, String> names) {
        node.properties().forEach(field -> {
            if (REFERENCES.contains(field.getKey()) && field.getValue() instanceof ObjectNode reference) {
                var name = reference.path("name").asText();
                reference.put("name", names.getOrDefault(name, name));
            }
        });
        node.forEach(child -> rename(child, names));
    }

    /** As Kustomize does it: of the contents without the name, ten digits in letters that spell no words. */
    private static String hash(JsonNode data) {
        var texts = new TreeMap<String, String>();
        data.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().textValue()));
        try {
            var json = SORTED.writeValueAsString(Map.of("kind", "ConfigMap", "name", "", "data", texts))
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("&", "\\u0026");
            var digest = MessageDigest.getInstance("SHA-256").digest(json.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of()
                    .formatHex(digest)
                    .substring(0, 10)
                    .replace('0', 'g')
                    .replace('1', 'h')
                    .replace('3', 'k')
                    .replace('a', 'm')
                    .replace('e', 't');
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
