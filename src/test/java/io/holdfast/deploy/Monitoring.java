package io.holdfast.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The files of the monitoring overlay. */
final class Monitoring {
    static final Path FOLDER = Path.of("k8s/overlays/monitoring");
    static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private Monitoring() {}

    static JsonNode yaml(String file) {
        return read(YAML, FOLDER.resolve(file));
    }

    static JsonNode dashboard() {
        return read(new ObjectMapper(), FOLDER.resolve("holdfast.json"));
    }

    static List<JsonNode> alerts() {
        return elements(yaml("alerts.yaml").at("/spec/groups"))
                .flatMap(group -> elements(group.path("rules")))
                .toList();
    }

    /** The panels that show something. */
    static List<JsonNode> panels() {
        return elements(dashboard().path("panels"))
                .filter(panel -> !panel.path("type").asText().equals("row"))
                .toList();
    }

    static List<String> dashboardQueries() {
        return panels().stream()
                .flatMap(panel -> elements(panel.path("targets")))
                .map(target -> target.path("expr").asText())
                .toList();
    }

    static Stream<String> queries() {
        return Stream.concat(alerts().stream().map(alert -> alert.path("expr").asText()), dashboardQueries().stream());
    }

    static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    static JsonNode read(ObjectMapper mapper, Path file) {
        try {
            return mapper.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
