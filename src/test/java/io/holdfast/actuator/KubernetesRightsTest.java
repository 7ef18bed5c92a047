package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deploy.Right;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.Workload;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the actuators do in Kubernetes is what their role in the manifests allows. */
class KubernetesRightsTest {
    private static final String SCALED = "{\"status\":{\"replicas\":0,\"readyReplicas\":0}}";
    private static final String HIBERNATED =
            "{\"status\":{\"conditions\":[{\"type\":\"cnpg.io/hibernation\",\"status\":\"True\"}]}}";

    @Test
    void theRoleAllowsWhatTheActuatorsDoAndNoMore() {
        var needed = new HashSet<Right>();
        for (var kind : Workload.Kind.values()) {
            var spec = new ActuatorSpec.Scale(new Workload("shop", kind, "db"));
            needed.addAll(needed("/apis/apps/v1/namespaces/shop/" + kind.plural() + "/db", kind.text(), spec, SCALED));
        }
        var spec = new ActuatorSpec.CloudNativePg("shop", "db");
        needed.addAll(needed("/apis/postgresql.cnpg.io/v1/namespaces/shop/clusters/db", "Cluster", spec, HIBERNATED));

        assertThat(needed).isEqualTo(Right.ofRole("holdfast-actuator"));
    }

    /** Of a stop, a start and every reading in between. */
    private static Set<Right> needed(String path, String kind, ActuatorSpec spec, String stopped) {
        try (var api = new FakeKubernetes();
                var rig = new Rig(ActuatorSettings.at(api.url()), spec)) {
            api.keeps(
                    path,
                    "{\"kind\":\"" + kind + "\",\"metadata\":{\"name\":\"db\"},\"spec\":{\"replicas\":1},"
                            + "\"status\":{\"replicas\":1,\"readyReplicas\":1,\"readyInstances\":1}}");
            assertThat(rig.state()).isEqualTo(State.RUNNING);
            rig.stop();
            api.becomes(path, stopped);
            assertThat(rig.state()).isEqualTo(State.STOPPED);
            rig.start();
            assertThat(rig.state()).isEqualTo(State.STARTING);
            var needed = new HashSet<Right>();
            api.requests()
                    .forEach(request ->
                            needed.add(Right.of(request.method(), request.uri().toString())));
            return needed;
        }
    }
}
