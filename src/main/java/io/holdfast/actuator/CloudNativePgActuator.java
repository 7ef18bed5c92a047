package io.holdfast.actuator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.smallrye.mutiny.Uni;

/** Hibernates and resumes a CloudNativePG cluster. Its operator removes and creates the pods. */
final class CloudNativePgActuator {
    static final String HIBERNATION = "cnpg.io/hibernation";

    private static final String ON = "on";
    private static final String OFF = "off";

    private final KubernetesObjects objects;

    CloudNativePgActuator(KubernetesObjects objects) {
        this.objects = objects;
    }

    PowerSwitch of(ActuatorSpec.CloudNativePg spec) {
        return new PowerSwitch() {
            @Override
            public Uni<Outcome> stop(long epoch) {
                return hibernation(spec, ON);
            }

            @Override
            public Uni<Outcome> start(long epoch) {
                return hibernation(spec, OFF);
            }

            @Override
            public Uni<Reading> state() {
                return objects.get(path(spec), "Cluster")
                        .flatMap(reply -> reply.thenRead(cluster -> reading(spec, cluster)));
            }
        };
    }

    private Uni<Outcome> hibernation(ActuatorSpec.CloudNativePg spec, String wanted) {
        return objects.get(path(spec), "Cluster")
                .flatMap(reply -> reply.thenOrder(cluster -> {
                    if (isHibernationRequested(cluster) == wanted.equals(ON)) {
                        return Uni.createFrom().item(new Outcome.Already());
                    }
                    var patch = JsonNodeFactory.instance.objectNode();
                    var metadata = patch.putObject("metadata");
                    // Conditional on the version that was read, so that a late order fails.
                    metadata.put(
                            "resourceVersion",
                            cluster.path("metadata").path("resourceVersion").asText());
                    metadata.putObject("annotations").put(HIBERNATION, wanted);
                    return objects.mergePatch(path(spec), patch)
                            .flatMap(patched ->
                                    patched.thenOrder(object -> Uni.createFrom().item(new Outcome.Accepted())));
                }));
    }

    private Uni<Reading> reading(ActuatorSpec.CloudNativePg spec, JsonNode cluster) {
        if (!isHibernationRequested(cluster) && isHibernated(cluster)) {
            return reading(State.STARTING, "still hibernated");
        }
        if (!isHibernationRequested(cluster)) {
            var ready = cluster.path("status").path("readyInstances").asInt();
            return reading(ready > 0 ? State.RUNNING : State.STARTING, "instances ready: " + ready);
        }
        if (!isHibernated(cluster)) {
            return reading(State.STOPPING, "not hibernated yet");
        }
        // Poolers have the label of the cluster, too, and keep running.
        var instances = "cnpg.io/cluster=" + spec.cluster() + ",!cnpg.io/poolerName";
        return objects.stoppedIfNoPods(spec.namespace(), instances);
    }

    private static Uni<Reading> reading(State state, String detail) {
        return Uni.createFrom().item(new Reading(state, detail));
    }

    private static boolean isHibernationRequested(JsonNode cluster) {
        return ON.equals(
                cluster.path("metadata").path("annotations").path(HIBERNATION).asText());
    }

    private static boolean isHibernated(JsonNode cluster) {
        for (var condition : cluster.path("status").path("conditions")) {
            if (HIBERNATION.equals(condition.path("type").asText())) {
                return "True".equals(condition.path("status").asText());
            }
        }
        return false;
    }

    private static String path(ActuatorSpec.CloudNativePg spec) {
        return "/apis/postgresql.cnpg.io/v1/namespaces/%s/clusters/%s".formatted(spec.namespace(), spec.cluster());
    }
}
