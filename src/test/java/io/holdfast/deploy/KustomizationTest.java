package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.suite.Slow;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KustomizationTest {

    @TempDir
    Path folder;

    @BeforeEach
    void oneResource() throws IOException {
        Files.writeString(
                folder.resolve("config.yaml"),
                """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: config
                data:
                  a: one
                """);
    }

    @Slow
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.holdfast.deploy.Rendered#folders")
    void aFolderIsRenderedAsKubectlRendersIt(Path given) throws IOException, InterruptedException {
        assumeTrue(onPath("kubectl"), "kubectl is not on the PATH, so there is nothing to compare with");

        var ours = byName(Kustomization.render(given));
        var theirs = byName(Yaml.documents(kubectl(given)));
        assertThat(ours.keySet()).isEqualTo(theirs.keySet());
        theirs.forEach((name, object) -> assertThat(ours.get(name)).as(name).isEqualTo(object));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "namePrefix: dev-",
                "labels: [{pairs: {a: b}, includeSelectors: true}]",
                "images: [{name: holdfast, digest: 'sha256:00'}]",
                "configMapGenerator: [{name: more, envs: [more.env]}]",
                "configMapGenerator: [{name: more, behavior: merge, literals: [a=b]}]",
                "configMapGenerator: [{name: more, behavior: replace, literals: [a=b]}]",
                "configMapGenerator: [{name: more, literals: ['a=\"b\"']}]",
                "patches: [{patch: '[{op: test, path: /data/a, value: one}]', target: {kind: ConfigMap}}]",
                "patches: [{patch: '[{op: remove, path: /data/b}]', target: {kind: ConfigMap}}]",
                "patches: [{patch: '[{op: replace, path: /data/b, value: c}]', target: {kind: ConfigMap}}]",
                "patches: [{patch: '[{op: add, path: /spec/b, value: c}]', target: {kind: ConfigMap}}]",
                "patches: [{patch: '[{op: add, path: /data/b, valeu: c}]', target: {kind: ConfigMap}}]",
                "patches: [{patch: '[{op: add, path: /data/b}]', target: {kind: ConfigMap}}]",
                "patches: [{patch: '[{op: add, path: /data/b, value: c}]', target: {kind: Secret}}]",
                "patches: [{patch: '[{op: add, path: /data/b, value: c}]', target: {kind: ConfigMap, name: other}}]",
                "patches: [{patch: '[{op: add, path: /data/b, value: c}]', target: {labelSelector: a=b}}]",
                "patches: [{patch: '[{op: replace, path: /kind, value: Secret}]', target: {kind: ConfigMap}}]",
                "patches: [{patch: '{kind: ConfigMap, metadata: {name: config}, data: {a: two}}'}]",
                "patches: [{patch: '{$patch: delete, apiVersion: v1, kind: Secret, metadata: {name: config}}'}]",
            })
    void aFormThatIsNotKnownIsRefused(String line) throws IOException {
        kustomization(line);

        assertThatThrownBy(() -> Kustomization.render(folder)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aChangedSettingGivesTheConfigMapAnotherName() throws IOException {
        kustomization("configMapGenerator: [{name: more, literals: [a=b]}]");
        var before = byName(Kustomization.render(folder)).keySet();
        kustomization("configMapGenerator: [{name: more, literals: [a=c]}]");

        assertThat(byName(Kustomization.render(folder)).keySet())
                .hasSameSizeAs(before)
                .isNotEqualTo(before);
    }

    @Test
    void whatIsDeletedIsGoneAndWhatIsPatchedIsChanged() throws IOException {
        kustomization("patches: [{patch: '[{op: replace, path: /data/a, value: two}]', target: {kind: ConfigMap}}]");
        assertThat(Kustomization.render(folder))
                .singleElement()
                .satisfies(object -> assertThat(object.at("/data/a").asText()).isEqualTo("two"));

        kustomization(
                "patches: [{patch: '{$patch: delete, apiVersion: v1, kind: ConfigMap, metadata: {name: config}}'}]");
        assertThat(Kustomization.render(folder)).isEmpty();
    }

    private void kustomization(String line) throws IOException {
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [config.yaml]\n" + line + "\n");
    }

    private static Map<String, JsonNode> byName(Collection<? extends JsonNode> objects) {
        return objects.stream()
                .collect(Collectors.toMap(
                        object -> object.path("kind").asText() + " "
                                + object.at("/metadata/namespace").asText() + "/"
                                + object.at("/metadata/name").asText(),
                        object -> (ObjectNode) object));
    }

    private static boolean onPath(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    private static String kubectl(Path given) throws IOException, InterruptedException {
        var process = new ProcessBuilder("kubectl", "kustomize", given.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        return text;
    }
}
