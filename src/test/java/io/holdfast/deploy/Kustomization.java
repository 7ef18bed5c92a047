package io.holdfast.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Renders a folder as `kubectl kustomize` does, for the few forms that are used here. Every other field or form is
 * refused, so nothing is ever left out in silence. Patches have to find something to change, too.
 */
final class Kustomization {
    private static final String FILE = "kustomization.yaml";
    private static final Set<String> WITHOUT_NAMESPACE =
            Set.of("Namespace", "ClusterRole", "ClusterRoleBinding", "PriorityClass");

    private final GeneratedConfigMaps configMaps = new GeneratedConfigMaps();

    private Kustomization() {}

    static List<ObjectNode> render(Path folder) {
        var kustomization = new Kustomization();
        var objects = kustomization.accumulate(folder);
        kustomization.configMaps.suffix(objects);
        return objects;
    }

    /** In Kustomize's order: resources, generators, patches, namespace, labels, images. */
    private List<ObjectNode> accumulate(Path folder) {
        var file = Yaml.document(Yaml.text(folder.resolve(FILE)));
        Yaml.only(
                file,
                "apiVersion",
                "kind",
                "namespace",
                "labels",
                "resources",
                "images",
                "configMapGenerator",
                "generatorOptions",
                "patches");
        var objects = new ArrayList<ObjectNode>();
        Yaml.texts(file.path("resources")).forEach(resource -> objects.addAll(resource(folder.resolve(resource))));
        file.path("configMapGenerator").forEach(generator -> generate(folder, withOptions(generator, file), objects));
        file.path("patches").forEach(patch -> patch(folder, patch, objects));
        if (file.has("namespace")) {
            objects.forEach(object -> namespace(Yaml.string(file.path("namespace")), object));
        }
        file.path("labels").forEach(labels -> objects.forEach(object -> label(labels, object)));
        file.path("images").forEach(image -> objects.forEach(object -> image(image, object)));
        return objects;
    }

    private List<ObjectNode> resource(Path path) {
        if (Files.isDirectory(path)) {
            return accumulate(path.normalize());
        }
        return Yaml.documents(Yaml.text(path)).stream()
                .map(document -> (ObjectNode) document)
                .toList();
    }

    /** Options of a generator together with those of all are refused: which of them hold is a page of its own. */
    private static JsonNode withOptions(JsonNode generator, JsonNode file) {
        if (!file.has("generatorOptions")) {
            return generator;
        }
        if (generator.has("options") || generator.has("behavior")) {
            throw new IllegalArgumentException("generatorOptions do not go with " + generator);
        }
        return ((ObjectNode) generator).set("options", file.path("generatorOptions"));
    }

    private void generate(Path folder, JsonNode generator, List<ObjectNode> objects) {
        var existing = objects.stream()
                .filter(is("ConfigMap", Optional.of(generator.path("name").asText())))
                .map(JsonNode.class::cast)
                .findFirst()
                .orElseGet(MissingNode::getInstance);
        var made = configMaps.generate(folder, generator, existing);
        if (made != existing) {
            objects.add(made);
        }
    }

    private static void patch(Path folder, JsonNode entry, List<ObjectNode> objects) {
        Yaml.only(entry, "patch", "path", "target", "options");
        if (entry.has("patch") == entry.has("path")) {
            throw new IllegalArgumentException("want either patch or path: " + entry);
        }
        var change = Yaml.document(
                entry.has("patch")
                        ? Yaml.string(entry.path("patch"))
                        : Yaml.text(folder.resolve(Yaml.string(entry.path("path")))));
        if (change.isArray()) {
            patchTarget(entry, change, objects);
        } else {
            delete(entry, change, objects);
        }
    }

    private static void patchTarget(JsonNode entry, JsonNode operations, List<ObjectNode> objects) {
        var target = Yaml.only(entry.path("target"), "kind", "name");
        var kind = Yaml.string(target.path("kind"));
        var mayChange = entry.has("options")
                && Yaml.only(entry.path("options"), "allowKindChange")
                        .path("allowKindChange")
                        .booleanValue();
        for (var object : found(is(kind, Optional.ofNullable(target.path("name").textValue())), objects, entry)) {
            JsonPatch.apply(operations, object);
            if (!mayChange && !kind.equals(object.path("kind").textValue())) {
                throw new IllegalArgumentException("changes the kind without allowKindChange: " + entry);
            }
        }
    }

    private static void delete(JsonNode entry, JsonNode change, List<ObjectNode> objects) {
        Yaml.only(entry, "patch");
        Yaml.only(change, "$patch", "apiVersion", "kind", "metadata");
        Yaml.only(change.path("metadata"), "name");
        if (!"delete".equals(change.path("$patch").textValue())) {
            throw new IllegalArgumentException("a merge is not known: " + change);
        }
        var kind = Yaml.string(change.path("kind"));
        var name = Yaml.string(change.path("metadata").path("name"));
        objects.removeAll(found(
                is(kind, Optional.of(name))
                        .and(object -> object.path("apiVersion").equals(change.path("apiVersion"))),
                objects,
                entry));
    }

    private static List<ObjectNode> found(Predicate<ObjectNode> wanted, List<ObjectNode> objects, JsonNode entry) {
        var found = objects.stream().filter(wanted).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("nothing to patch for " + entry);
        }
        return found;
    }

    private static Predicate<ObjectNode> is(String kind, Optional<String> name) {
        return object -> kind.equals(object.path("kind").textValue())
                && name.map(wanted -> wanted.equals(
                                object.path("metadata").path("name").textValue()))
                        .orElse(true);
    }

    private static void namespace(String namespace, ObjectNode object) {
        if (WITHOUT_NAMESPACE.contains(object.path("kind").asText())) {
            return;
        }
        if (object.has("subjects")) {
            // Kustomize changes some of them and not others.
            throw new IllegalArgumentException("a binding names its namespaces itself: " + object);
        }
        object.withObject("/metadata").put("namespace", namespace);
    }

    private static void label(JsonNode labels, ObjectNode object) {
        Yaml.only(labels, "pairs", "includeTemplates");
        var pairs = (ObjectNode) labels.path("pairs");
        object.withObject("/metadata").withObject("/labels").setAll(pairs);
        if (labels.path("includeTemplates").booleanValue()
                && object.at("/spec/template/metadata") instanceof ObjectNode pod) {
            pod.withObject("/labels").setAll(pairs);
        }
    }

    private static void image(JsonNode image, ObjectNode object) {
        Yaml.only(image, "name", "newName", "newTag");
        var name = Yaml.string(image.path("name"));
        for (var list : List.of("containers", "initContainers")) {
            for (var container : object.at("/spec/template/spec/" + list)) {
                var given = container.path("image").asText().split(":", 2);
                if (given[0].equals(name)) {
                    var tag = image.path("newTag").asText(given[1]);
                    ((ObjectNode) container).put("image", image.path("newName").asText(name) + ":" + tag);
                }
            }
        }
    }
}
