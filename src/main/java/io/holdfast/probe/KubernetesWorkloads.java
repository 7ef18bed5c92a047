package io.holdfast.probe;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.registry.Workload;
import io.holdfast.remote.KubernetesApi;
import io.holdfast.remote.KubernetesApi.Reply;
import io.smallrye.mutiny.Uni;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the scale of workloads and lists pods. Every answer that is not exactly the one asked for fails with a
 * {@link StatusUnknownException}. Uses only the rights of the role {@code holdfast-probe}.
 */
public final class KubernetesWorkloads {
    private final KubernetesApi api;

    public KubernetesWorkloads(KubernetesApi api) {
        this.api = api;
    }

    /** @param replicas the wanted ones */
    public record Scale(int replicas, Optional<String> selector) {
        /** An empty selector is rejected: it would match every pod of the namespace. */
        public String requireSelector() {
            return selector.orElseThrow(() -> malformed("has no status.selector"));
        }
    }

    /**
     * @param pods an array
     * @param next the token of the next page
     */
    public record PodPage(JsonNode pods, Optional<String> next) {}

    /**
     * Empty if Kubernetes answers that the workload does not exist. For a Deployment it also answers so if it could not
     * read its own storage.
     */
    public Uni<Optional<Scale>> scale(Workload workload) {
        return api.get(scalePath(workload), "Scale").map(reply -> {
            if (reply instanceof Reply.Refused refused
                    && refused.missing().filter(workload.name()::equals).isPresent()) {
                return Optional.empty();
            }
            var scale = object(reply);
            checkIsScaleOf(workload, scale);
            return Optional.of(new Scale(replicas(scale), selector(scale)));
        });
    }

    /**
     * One page of a list of pods.
     *
     * @param selector absent for every pod of the namespace
     * @param page the token of the page; absent for the first one
     */
    public Uni<PodPage> pods(String namespace, Optional<String> selector, int limit, Optional<String> page) {
        var path = "/api/v1/namespaces/" + namespace + "/pods?limit=" + limit
                + selector.map(text -> "&labelSelector=" + encode(text)).orElse("")
                + page.map(token -> "&continue=" + encode(token)).orElse("");
        return api.get(path, "PodList").map(reply -> {
            var list = object(reply);
            var items = list.path("items");
            require(items.isArray(), "is not a list of pods");
            return new PodPage(items, text(list.path("metadata").path("continue")));
        });
    }

    private static JsonNode object(Reply reply) {
        return switch (reply) {
            case Reply.Done done when done.status() == 200 -> done.object();
            case Reply.Done done -> throw answered(done.status());
            case Reply.Refused refused -> throw answered(refused.status());
            case Reply.None none -> throw new StatusUnknownException(none.reason());
        };
    }

    static StatusUnknownException answered(int status) {
        return new StatusUnknownException(
                switch (status) {
                    case 401 -> "the Kubernetes API rejects the token (401)";
                    case 403 -> "the Kubernetes API denies access (403)";
                    case 404 -> "the Kubernetes API has no such workload (404)";
                    default -> "the Kubernetes API answered with " + status;
                });
    }

    private static void checkIsScaleOf(Workload workload, JsonNode scale) {
        var metadata = scale.path("metadata");
        require(
                workload.name().equals(metadata.path("name").textValue())
                        && workload.namespace()
                                .equals(metadata.path("namespace").textValue()),
                "is not the scale of the workload");
    }

    /** The API omits a spec.replicas of 0, but never the spec. */
    private static int replicas(JsonNode scale) {
        var spec = scale.path("spec");
        require(spec.isObject(), "has no spec");
        var replicas = spec.path("replicas");
        require(
                replicas.isMissingNode() || replicas.isInt() && replicas.intValue() >= 0,
                "has a spec.replicas that is not a number");
        return replicas.intValue();
    }

    private static Optional<String> selector(JsonNode scale) {
        return text(scale.path("status").path("selector"));
    }

    private static Optional<String> text(JsonNode node) {
        return Optional.of(node.asText("")).filter(text -> !text.isEmpty());
    }

    private static String scalePath(Workload workload) {
        return "/apis/apps/v1/namespaces/" + workload.namespace() + "/"
                + workload.kind().plural() + "/" + workload.name() + "/scale";
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static void require(boolean valid, String problem) {
        if (!valid) {
            throw malformed(problem);
        }
    }

    private static StatusUnknownException malformed(String problem) {
        return new StatusUnknownException("the Kubernetes API's answer " + problem);
    }
}
