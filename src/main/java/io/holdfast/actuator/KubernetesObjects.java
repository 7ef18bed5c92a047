package io.holdfast.actuator;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.remote.KubernetesApi;
import io.smallrye.mutiny.Uni;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Reads and writes Kubernetes objects for the actuators. Maps errors to outcomes. */
final class KubernetesObjects {
    private final KubernetesApi api;

    KubernetesObjects(KubernetesApi api) {
        this.api = api;
    }

    sealed interface Reply {
        record Done(JsonNode object) implements Reply {}

        /** @param outcome refused or retry */
        record Failed(Outcome outcome) implements Reply {}

        default Uni<Outcome> thenOrder(Function<JsonNode, Uni<Outcome>> next) {
            return switch (this) {
                case Done done -> next.apply(done.object());
                case Failed failed -> Uni.createFrom().item(failed.outcome());
            };
        }

        default Uni<Reading> thenRead(Function<JsonNode, Uni<Reading>> next) {
            return switch (this) {
                case Done done -> next.apply(done.object());
                case Failed failed -> Uni.createFrom().item(Reading.unknown(failed.outcome()));
            };
        }
    }

    /** @param kind required in the answer */
    Uni<Reply> get(String path, String kind) {
        return api.get(path, kind).map(KubernetesObjects::reply);
    }

    Uni<Reply> put(String path, JsonNode object) {
        return api.put(path, object).map(KubernetesObjects::reply);
    }

    Uni<Reply> mergePatch(String path, JsonNode patch) {
        return api.mergePatch(path, patch).map(KubernetesObjects::reply);
    }

    /**
     * STOPPED if no pod is left. Terminating pods count; completed pods do not, because they stay listed for days
     * without running containers.
     */
    Uni<Reading> stoppedIfNoPods(String namespace, String selector) {
        var query = "?limit=1&labelSelector=" + encode(selector) + "&fieldSelector="
                + encode("status.phase!=Succeeded,status.phase!=Failed");
        return get("/api/v1/namespaces/" + namespace + "/pods" + query, "PodList")
                .flatMap(reply -> reply.thenRead(pods -> Uni.createFrom().item(stoppedIfNoPods(pods.path("items")))));
    }

    private static Reading stoppedIfNoPods(JsonNode items) {
        if (!items.isArray()) {
            return Reading.unknown("kubernetes answered with a list of pods without items");
        }
        return items.isEmpty()
                ? new Reading(State.STOPPED, "no pod left")
                : new Reading(State.STOPPING, "a pod is left");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Reply reply(KubernetesApi.Reply given) {
        return switch (given) {
            case KubernetesApi.Reply.Done done -> new Reply.Done(done.object());
            case KubernetesApi.Reply.Refused refused -> new Reply.Failed(outcome(refused));
            case KubernetesApi.Reply.None none -> new Reply.Failed(new Outcome.Retry("kubernetes: " + none.reason()));
        };
    }

    private static Outcome outcome(KubernetesApi.Reply.Refused refused) {
        var message = refused.message().isEmpty() ? "" : ": " + refused.message();
        var reason = "kubernetes answered " + refused.status() + message;
        return switch (refused.status()) {
            // An expired token, a timeout, a concurrent write, or too many requests.
            case 401, 408, 409, 429 -> new Outcome.Retry(reason);
            default -> refused.status() >= 500 ? new Outcome.Retry(reason) : new Outcome.Refused(reason);
        };
    }
}
