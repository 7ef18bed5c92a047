package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a stand-in for the API server; the test is the operator. */
class CloudNativePgActuatorTest {
    private static final String PATH = "/apis/postgresql.cnpg.io/v1/namespaces/shop/clusters/orders";

    private final FakeKubernetes api = new FakeKubernetes();
    private final Rig rig = new Rig(ActuatorSettings.at(api.url()), new ActuatorSpec.CloudNativePg("shop", "orders"));

    @BeforeEach
    void open() {
        api.keeps(PATH, "{\"kind\":\"Cluster\",\"spec\":{\"instances\":2},\"status\":{\"readyInstances\":2}}");
        api.runs("orders-1", Map.of("cnpg.io/cluster", "orders"), "Running");
        api.runs("other-1", Map.of("cnpg.io/cluster", "other"), "Running");
        api.runs("pool-1", Map.of("cnpg.io/cluster", "orders", "cnpg.io/poolerName", "pool"), "Running");
    }

    @AfterEach
    void close() {
        rig.close();
        api.close();
    }

    private void hibernates(String status) {
        api.becomes(
                PATH,
                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"},{\"type\":\"cnpg.io/hibernation\",\"status\":\""
                        + status + "\"}]}}");
    }

    @Test
    void aStopHibernatesAndAStartWakes() {
        assertThat(rig.stop()).isEqualTo(new Outcome.Accepted());
        assertThat(api.object(PATH)
                        .at("/metadata/annotations/cnpg.io~1hibernation")
                        .textValue())
                .isEqualTo("on");

        assertThat(rig.start()).isEqualTo(new Outcome.Accepted());
        assertThat(api.object(PATH)
                        .at("/metadata/annotations/cnpg.io~1hibernation")
                        .textValue())
                .isEqualTo("off");
    }

    @Test
    void orderingWhatIsSoAlreadyChangesNothing() {
        assertThat(rig.start()).isEqualTo(new Outcome.Already());
        rig.stop();
        var version = api.object(PATH).at("/metadata/resourceVersion");

        assertThat(rig.stop()).isEqualTo(new Outcome.Already());
        assertThat(api.object(PATH).at("/metadata/resourceVersion")).isEqualTo(version);
    }

    @Test
    void itIsStoppedOnlyWhenTheOperatorSaysSoAndNoInstanceIsLeft() {
        rig.stop();
        assertThat(rig.state()).isEqualTo(State.STOPPING);

        hibernates("False");
        assertThat(rig.state()).isEqualTo(State.STOPPING);

        hibernates("True");
        assertThat(rig.state()).isEqualTo(State.STOPPING);

        api.removes("orders-1");
        assertThat(rig.state()).isEqualTo(State.STOPPED);
    }

    @Test
    void podsGoneBeforeTheOperatorSaysSoIsNotStopped() {
        rig.stop();
        api.removes("orders-1");

        assertThat(rig.state()).isEqualTo(State.STOPPING);
    }

    @Test
    void itIsRunningOnceAwakeWithAReadyInstance() {
        assertThat(rig.state()).isEqualTo(State.RUNNING);

        rig.stop();
        hibernates("True");
        rig.start();
        assertThat(rig.state()).isEqualTo(State.STARTING);

        api.becomes(PATH, "{\"status\":{\"conditions\":[],\"readyInstances\":0}}");
        assertThat(rig.state()).isEqualTo(State.STARTING);

        api.becomes(PATH, "{\"status\":{\"readyInstances\":1}}");
        assertThat(rig.state()).isEqualTo(State.RUNNING);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void whatKubernetesForbidsOrDoesNotKnowIsRefused(int status) {
        api.fails(status, "no clusters for you");

        assertThat(rig.stop())
                .isEqualTo(new Outcome.Refused("kubernetes answered " + status + ": no clusters for you"));
        assertThat(rig.start()).isInstanceOf(Outcome.Refused.class);
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }
}
