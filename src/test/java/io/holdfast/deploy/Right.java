package io.holdfast.deploy;

import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One verb on one kind of object of the Kubernetes API. */
public record Right(String group, String resource, String verb) {
    private static final Pattern PATH =
            Pattern.compile("/apis?/(?:([^/]+)/)?v\\w+/namespaces/[^/]+/([^/?]+)(/[^/?]+)?(/[^/?]+)?(?:\\?.*)?");

    /** What a request needs. */
    public static Right of(String method, String path) {
        var parts = PATH.matcher(path);
        if (!parts.matches()) {
            throw new IllegalArgumentException("no path of an object or a list: " + path);
        }
        var group = parts.group(1) == null ? "" : parts.group(1);
        var part = parts.group(4) == null ? "" : parts.group(4);
        var verb =
                switch (method) {
                    case "GET" -> parts.group(3) == null ? "list" : "get";
                    case "PUT" -> "update";
                    case "PATCH" -> "patch";
                    default -> throw new IllegalArgumentException("no verb for " + method);
                };
        return new Right(group, parts.group(2) + part, verb);
    }

    /** What a role of the manifests allows. */
    public static Set<Right> ofRole(String name) {
        return Rendered.named("base").one(ClusterRole.class, name).getRules().stream()
                .flatMap(rule -> all(rule.getApiGroups(), rule.getResources(), rule.getVerbs()))
                .collect(Collectors.toSet());
    }

    static Stream<Right> all(List<String> groups, List<String> resources, List<String> verbs) {
        return groups.stream().flatMap(group -> resources.stream()
                .flatMap(resource -> verbs.stream().map(verb -> new Right(group, resource, verb))));
    }
}
