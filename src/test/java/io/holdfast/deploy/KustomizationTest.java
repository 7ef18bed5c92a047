package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KustomizationTest {
    private static final Path ROOT = Path.of("k8s");

    @TempDir
    Path copy;

    /** Kustomize says nothing if the target of a JSON patch or the name of an image matches nothing. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.holdfast.deploy.Rendered#folders")
    void everyPatchAndImageFindsWhatItChanges(Path folder) throws IOException {
        var file = (ObjectNode) Kustomization.file(folder);
        var patches = List.copyOf(targets(file.path("patches")));
        var images = List.copyOf(names(file.path("images")));
        copyOf(ROOT);
        file.remove(List.of("patches", "images"));
        var unpatched = copy.resolve(ROOT.relativize(folder));
        Files.writeString(unpatched.resolve(Kustomization.FILE), file.toString());

        var objects = Kustomization.render(unpatched);

        assertThat(patches).allSatisfy(target -> assertThat(objects).anyMatch(object -> matches(target, object)));
        assertThat(images)
                .allSatisfy(name -> assertThat(imagesOf(objects)).anyMatch(image -> image.startsWith(name + ":")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nmePrefix: dev-",
                "images: [{nme: holdfast, newTag: '1'}]",
                "patches: [{patch: '[{\"op\": \"remove\", \"path\": \"/data/b\"}]', target: {kind: ConfigMap}}]",
                "patches: [{patch: '{\"kind\": \"Secret\", \"metadata\": {\"name\": \"config\"}}'}]",
            })
    void aMistakeInAKustomizationIsRefused(String line) throws IOException {
        Files.writeString(
                copy.resolve("config.yaml"),
                """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: config
                data:
                  a: one
                """);
        Files.writeString(copy.resolve(Kustomization.FILE), "resources: [config.yaml]\n" + line + "\n");

        assertThatThrownBy(() -> Kustomization.render(copy)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTargetThatMatchesNothingIsFound() {
        var target = Yaml.document("{kind: Deployment, name: holdfast}");

        assertThat(matches(target, Yaml.document("{kind: Deployment, metadata: {name: holdfast}}")))
                .isTrue();
        assertThat(matches(target, Yaml.document("{kind: Deployment, metadata: {name: other}}")))
                .isFalse();
        assertThat(matches(target, Yaml.document("{kind: StatefulSet, metadata: {name: holdfast}}")))
                .isFalse();
    }

    private void copyOf(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            for (var file : files.toList()) {
                var to = copy.resolve(root.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(to);
                } else {
                    Files.copy(file, to);
                }
            }
        }
    }

    private static List<JsonNode> targets(JsonNode patches) {
        return patches.findValues("target");
    }

    private static Set<String> names(JsonNode images) {
        var names = new TreeSet<String>();
        images.forEach(image -> names.add(Yaml.string(image.path("name"))));
        return names;
    }

    private static boolean matches(JsonNode target, JsonNode object) {
        return Yaml.string(target.path("kind")).equals(object.path("kind").textValue())
                && (!target.has("name")
                        || Yaml.string(target.path("name"))
                                .equals(object.at("/metadata/name").textValue()));
    }

    private static List<String> imagesOf(List<ObjectNode> objects) {
        return objects.stream()
                .flatMap(object -> object.findValuesAsText("image").stream())
                .toList();
    }
}
