package io.holdfast.probe;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.registry.Workload;
import io.holdfast.remote.KubernetesApi;
import io.holdfast.remote.KubernetesApi.Reply;
import io.smallrye.mutiny.Uni;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Probes the workload of an app: its wanted replicas and its pods. Terminating and finished pods count, too: while the
 * pod object exists, its containers may still run.
 */
final class KubernetesProbe {
    private final KubernetesApi api;

    KubernetesProbe(KubernetesApi api) {
        this.api = api;
    }

    /** Reads the scale first and the pods after it. A start between the two reads is found only by the next probe. */
    Uni<Result> probe(Workload workload) {
        return api.get(scalePath(workload), "Scale")
                .map(KubernetesProbe::object)
                .chain(scale -> {
                    checkIsScaleOf(workload, scale);
                    var replicas = replicas(scale);
                    if (replicas > 0) {
                        return Uni.createFrom().item(result(AppStatus.UP, "scaled to " + replicas));
                    }
                    return api.get(podsPath(workload, selector(scale)), "PodList")
                            .map(KubernetesProbe::object)
                            .map(KubernetesProbe::scaledToZero);
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

    private static StatusUnknownException answered(int status) {
        return new StatusUnknownException(
                switch (status) {
                    case 401 -> "the Kubernetes API rejects the token (401)";
                    case 403 -> "the Kubernetes API denies access (403)";
                    case 404 -> "the Kubernetes API has no such workload (404)";
                    default -> "the Kubernetes API answered with " + status;
                });
    }

    private static Result scaledToZero(JsonNode pods) {
        var items = pods.path("items");
        require(items.isArray(), "is not a list of pods");
        if (!items.isEmpty()) {
            var pod = items.get(0).path("metadata").path("name").asText("?");
            return result(AppStatus.UP, "scaled to 0, but pod " + pod + " is left");
        }
        require(pods.path("metadata").path("continue").asText("").isEmpty(), "is an incomplete list of pods");
        return result(AppStatus.DOWN, "scaled to 0, and no pod is left");
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

    /** An empty selector is rejected: it would match every pod of the namespace. */
    private static String selector(JsonNode scale) {
        var selector = scale.path("status").path("selector").asText("");
        require(!selector.isEmpty(), "has no status.selector");
        return selector;
    }

    private static String scalePath(Workload workload) {
        return "/apis/apps/v1/namespaces/" + workload.namespace() + "/"
                + workload.kind().plural() + "/" + workload.name() + "/scale";
    }

    private static String podsPath(Workload workload, String selector) {
        return "/api/v1/namespaces/" + workload.namespace() + "/pods?limit=1&labelSelector="
                + URLEncoder.encode(selector, StandardCharsets.UTF_8);
    }

    private static Result result(AppStatus status, String detail) {
        return new Result(status, Optional.empty(), detail);
    }

    private static void require(boolean valid, String problem) {
        if (!valid) {
            throw new StatusUnknownException("the Kubernetes API's answer " + problem);
        }
    }
}
