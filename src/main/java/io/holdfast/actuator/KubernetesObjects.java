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

/** Objects of Kubernetes for orders and readings: what the API does not give is an outcome. */
final class KubernetesObjects {
    private final KubernetesApi api;

    KubernetesObjects(KubernetesApi api) {
        this.api = api;
    }

    sealed interface Reply {
        record Done(JsonNode object) implements Reply {}

        /** @param outcome refused or to be retried */
        record Failed(Outcome outcome) implements Reply {}

        default Uni<Outcome> thenOrder(Function<JsonNode, Uni<Outcome>> next) {
            return switch (this) {
                case Done done -> next.apply(done.object());
                case Failed failed -> Uni.createFrom().item(failed.outcome());
            };
        }

        default Uni<Reading> thenLook(Function<JsonNode, Uni<Reading>> next) {
            return switch (this) {
                case Done done -> next.apply(done.object());
                case Failed failed -> Uni.createFrom().item(Reading.unknown(failed.outcome()));
            };
        }
    }

    /** @param kind what the answer must say it is */
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
     * Stopped when no pod is left whose containers may still run, terminating ones included. Pods that ran to their end
     * stay listed for days and hold nothing.
     */
    Uni<Reading> podsGone(String namespace, String selector) {
        var query = "?limit=1&labelSelector=" + encode(selector) + "&fieldSelector="
                + encode("status.phase!=Succeeded,status.phase!=Failed");
        return get("/api/v1/namespaces/" + namespace + "/pods" + query, "PodList")
                .flatMap(reply -> reply.thenLook(pods -> Uni.createFrom().item(podsGone(pods.path("items")))));
    }

    private static Reading podsGone(JsonNode items) {
        if (!items.isArray()) {
            return Reading.unknown("kubernetes answered a list of pods without items");
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
            // A token that is being replaced, another writer in between, or too many of us.
            case 401, 408, 409, 429 -> new Outcome.Retry(reason);
            default -> refused.status() >= 500 ? new Outcome.Retry(reason) : new Outcome.Refused(reason);
        };
    }
}
