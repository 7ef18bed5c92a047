package io.holdfast.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;

/** Renders a folder by {@code kubectl kustomize}, which refuses unknown fields. */
final class Kustomization {
    static final String FILE = "kustomization.yaml";

    private Kustomization() {}

    static List<ObjectNode> render(Path folder) {
        var rendered = Tool.KUBECTL.run("kustomize", folder.toString());
        if (rendered.exit() != 0) {
            throw new IllegalArgumentException(folder + ": " + rendered.output());
        }
        return Yaml.documents(rendered.output()).stream()
                .map(ObjectNode.class::cast)
                .toList();
    }

    static JsonNode file(Path folder) {
        return Yaml.document(Yaml.text(folder.resolve(FILE)));
    }
}
