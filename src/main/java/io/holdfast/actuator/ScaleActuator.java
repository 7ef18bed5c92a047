package io.holdfast.actuator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.actuator.KubernetesObjects.Reply;
import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.Workload;
import io.smallrye.mutiny.Uni;

/**
 * Scales a workload to 0 and back. Stores the number of replicas in an annotation of the workload before scaling.
 * Each write is conditional on the version that was read, so a concurrent change leads to a retry.
 */
final class ScaleActuator {
    static final String REPLICAS_ANNOTATION = "holdfast.io/replicas";

    private static final int REPLICAS_DEFAULT = 1;
    private static final int REPLICAS_MAX = 1000;

    private final KubernetesObjects objects;

    ScaleActuator(KubernetesObjects objects) {
        this.objects = objects;
    }

    PowerSwitch of(Workload workload) {
        return new PowerSwitch() {
            @Override
            public Uni<Outcome> stop(long epoch) {
                return scale(workload).flatMap(reply -> reply.thenOrder(scale -> scaleToZero(workload, scale)));
            }

            @Override
            public Uni<Outcome> start(long epoch) {
                return object(workload).flatMap(reply -> reply.thenOrder(object -> restore(workload, object)));
            }

            @Override
            public Uni<Reading> state() {
                return scale(workload).flatMap(reply -> reply.thenRead(scale -> reading(workload, scale)));
            }
        };
    }

    private Uni<Outcome> scaleToZero(Workload workload, JsonNode scale) {
        var replicas = replicas(scale);
        if (replicas == 0) {
            return Uni.createFrom().item(new Outcome.Already());
        }
        return objects.mergePatch(path(workload), replicasPatch(replicas, version(scale)))
                .flatMap(reply -> reply.thenOrder(patched -> rescale(workload, version(patched), 0)));
    }

    private Uni<Outcome> restore(Workload workload, JsonNode object) {
        if (replicas(object) > 0) {
            return Uni.createFrom().item(new Outcome.Already());
        }
        return rescale(workload, version(object), storedReplicas(object));
    }

    private Uni<Outcome> rescale(Workload workload, String version, int replicas) {
        var scale = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "autoscaling/v1")
                .put("kind", "Scale");
        scale.putObject("metadata")
                .put("name", workload.name())
                .put("namespace", workload.namespace())
                .put("resourceVersion", version);
        scale.putObject("spec").put("replicas", replicas);
        return objects.put(path(workload) + "/scale", scale)
                .flatMap(reply -> reply.thenOrder(scaled -> Uni.createFrom().item(new Outcome.Accepted())));
    }

    private Uni<Reading> reading(Workload workload, JsonNode scale) {
        var left = scale.path("status").path("replicas").asInt();
        if (replicas(scale) > 0) {
            return object(workload).flatMap(reply -> reply.thenRead(ScaleActuator::runningOrStarting));
        }
        if (left > 0) {
            return reading(State.STOPPING, "replicas left: " + left);
        }
        var selector = scale.path("status").path("selector").asText();
        if (selector.isEmpty()) {
            // Without a selector the list would contain all pods of the namespace.
            return reading(State.UNKNOWN, "kubernetes reports no selector for the pods of " + workload.name());
        }
        return objects.stoppedIfNoPods(workload.namespace(), selector);
    }

    private static Uni<Reading> runningOrStarting(JsonNode object) {
        var ready = object.path("status").path("readyReplicas").asInt();
        return reading(ready > 0 ? State.RUNNING : State.STARTING, "replicas ready: " + ready);
    }

    private static Uni<Reading> reading(State state, String detail) {
        return Uni.createFrom().item(new Reading(state, detail));
    }

    private Uni<Reply> scale(Workload workload) {
        return objects.get(path(workload) + "/scale", "Scale");
    }

    private Uni<Reply> object(Workload workload) {
        return objects.get(path(workload), workload.kind().text());
    }

    private static String path(Workload workload) {
        return "/apis/apps/v1/namespaces/%s/%s/%s"
                .formatted(workload.namespace(), workload.kind().plural(), workload.name());
    }

    /** Kubernetes omits zero. */
    private static int replicas(JsonNode object) {
        return object.path("spec").path("replicas").asInt();
    }

    private static String version(JsonNode object) {
        return object.path("metadata").path("resourceVersion").asText();
    }

    private static ObjectNode replicasPatch(int replicas, String version) {
        var patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata")
                .put("resourceVersion", version)
                .putObject("annotations")
                .put(REPLICAS_ANNOTATION, String.valueOf(replicas));
        return patch;
    }

    private static int storedReplicas(JsonNode object) {
        var text = object.path("metadata")
                .path("annotations")
                .path(REPLICAS_ANNOTATION)
                .asText();
        var replicas = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : REPLICAS_DEFAULT;
        return replicas >= 1 && replicas <= REPLICAS_MAX ? replicas : REPLICAS_DEFAULT;
    }
}
