package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.Workload;
import io.holdfast.remote.FakeServer.Request;
import io.holdfast.remote.FakeServer.Response;
import io.holdfast.remote.KubernetesSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a stand-in for the Kubernetes API server. */
class ScaleActuatorTest {
    private static final String PATH = "/apis/apps/v1/namespaces/shop/statefulsets/db";
    private static final String POD_PATH = "/api/v1/namespaces/shop/pods";
    private static final ActuatorSpec SPEC =
            new ActuatorSpec.Scale(new Workload("shop", Workload.Kind.STATEFUL_SET, "db"));

    private final FakeKubernetes api = new FakeKubernetes();

    private final Rig rig = new Rig(ActuatorSettings.at(api.url()), SPEC);

    @BeforeEach
    void open() {
        api.keeps(
                PATH,
                """
                {"kind":"StatefulSet","metadata":{"name":"db","annotations":{"team":"shop"}},
                 "spec":{"replicas":3},"status":{"replicas":3,"readyReplicas":3}}""");
        for (var pod : new String[] {"db-0", "db-1", "db-2"}) {
            api.runs(pod, Map.of("app", "db"), "Running");
        }
    }

    @AfterEach
    void close() {
        rig.close();
        api.close();
    }

    @Test
    void aStopRemembersTheReplicasAndScalesToNothing() {
        assertThat(rig.stop()).isEqualTo(new Outcome.Accepted());

        var workload = api.object(PATH);
        assertThat(workload.at("/spec/replicas").asInt()).isZero();
        assertThat(workload.at("/metadata/annotations/holdfast.io~1replicas").textValue())
                .isEqualTo("3");
        assertThat(workload.at("/metadata/annotations/team").textValue()).isEqualTo("shop");
    }

    @Test
    void theReplicasAreRememberedBeforeAnythingIsScaled() {
        rig.stop();

        assertThat(api.requests()).extracting(Request::method).containsExactly("GET", "PATCH", "PUT");
    }

    @Test
    void aStartGoesBackToTheRememberedReplicas() {
        rig.stop();

        assertThat(rig.start()).isEqualTo(new Outcome.Accepted());
        assertThat(api.object(PATH).at("/spec/replicas").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1001", "99999999999", "three"})
    void aStartWithoutSensibleMemoryGoesToOneReplica(String remembered) {
        api.becomes(PATH, "{\"spec\":{\"replicas\":0}}");
        api.becomes(PATH, "{\"metadata\":{\"annotations\":{\"holdfast.io/replicas\":\"" + remembered + "\"}}}");

        assertThat(rig.start()).isEqualTo(new Outcome.Accepted());
        assertThat(api.object(PATH).at("/spec/replicas").asInt()).isEqualTo(1);
    }

    @Test
    void aSecondStopKeepsWhatTheFirstRemembered() {
        rig.stop();

        assertThat(rig.stop()).isEqualTo(new Outcome.Already());
        assertThat(api.object(PATH)
                        .at("/metadata/annotations/holdfast.io~1replicas")
                        .textValue())
                .isEqualTo("3");
    }

    @Test
    void whatIsScaledUpIsAlreadyStarted() {
        assertThat(rig.start()).isEqualTo(new Outcome.Already());
        assertThat(api.requests()).extracting(Request::method).containsExactly("GET");
    }

    @Test
    void itIsStoppedOnlyWhenTheLastPodIsGone() {
        rig.stop();
        assertThat(rig.state()).isEqualTo(State.STOPPING);

        api.becomes(PATH, "{\"status\":{\"replicas\":0,\"readyReplicas\":0}}");
        for (var pod : new String[] {"db-2", "db-1", "db-0"}) {
            assertThat(rig.state()).isEqualTo(State.STOPPING);
            api.removes(pod);
        }
        assertThat(rig.state()).isEqualTo(State.STOPPED);
    }

    @Test
    void replicasThatTheControllerStillCountsAreLeft() {
        api.becomes(PATH, "{\"spec\":{\"replicas\":0},\"status\":{\"replicas\":1}}");
        for (var pod : new String[] {"db-0", "db-1", "db-2"}) {
            api.removes(pod);
        }

        assertThat(rig.state()).isEqualTo(State.STOPPING);
    }

    @Test
    void podsThatRanToTheirEndAndPodsOfOthersHoldNothing() {
        rig.stop();
        api.becomes(PATH, "{\"status\":{\"replicas\":0}}");
        for (var pod : new String[] {"db-0", "db-1", "db-2"}) {
            api.removes(pod);
        }

        api.runs("db-evicted", Map.of("app", "db"), "Failed");
        api.runs("db-init", Map.of("app", "db"), "Succeeded");
        api.runs("web-0", Map.of("app", "web"), "Running");

        assertThat(rig.state()).isEqualTo(State.STOPPED);
    }

    @Test
    void withoutASelectorNothingIsConcluded() {
        api.becomes(PATH, "{\"spec\":{\"replicas\":0},\"status\":{\"replicas\":0}}");
        api.selects("");

        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
        assertThat(api.requests()).noneMatch(request -> request.uri().getPath().equals(POD_PATH));
    }

    @Test
    void itIsRunningOnceAReplicaIsReady() {
        api.becomes(PATH, "{\"status\":{\"readyReplicas\":0}}");
        assertThat(rig.state()).isEqualTo(State.STARTING);

        api.becomes(PATH, "{\"status\":{\"readyReplicas\":1}}");
        assertThat(rig.state()).isEqualTo(State.RUNNING);
    }

    @Test
    void aChangeBeforeTheReplicasAreRememberedMakesTheStopARetry() {
        api.beforeNextWrite(() -> api.becomes(PATH, "{\"spec\":{\"replicas\":5}}"));

        assertThat(rig.stop()).isEqualTo(new Outcome.Retry("kubernetes answered 409: the object has been modified"));
        assertThat(api.object(PATH).at("/spec/replicas").asInt()).isEqualTo(5);
    }

    @Test
    void aChangeBeforeTheScalingMakesTheStopARetryAndTheNextOneRemembersTheNewReplicas() {
        api.beforeNextWrite(() -> {});
        api.beforeNextWrite(() -> api.becomes(PATH, "{\"spec\":{\"replicas\":5}}"));

        assertThat(rig.stop()).isInstanceOf(Outcome.Retry.class);
        assertThat(api.object(PATH).at("/spec/replicas").asInt()).isEqualTo(5);

        assertThat(rig.stop()).isEqualTo(new Outcome.Accepted());
        assertThat(rig.start()).isEqualTo(new Outcome.Accepted());
        assertThat(api.object(PATH).at("/spec/replicas").asInt()).isEqualTo(5);
    }

    @Test
    void aChangeBeforeTheStartMakesItARetry() {
        rig.stop();
        api.beforeNextWrite(() -> api.becomes(PATH, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"));

        assertThat(rig.start()).isInstanceOf(Outcome.Retry.class);
    }

    @ParameterizedTest
    @CsvSource({"403, Refused", "404, Refused", "422, Refused", "401, Retry", "409, Retry", "429, Retry", "503, Retry"})
    void anErrorOfTheApiIsItsOutcome(int status, String outcome) {
        api.fails(status, "because");

        assertThat(rig.stop()).hasToString(outcome + "[reason=kubernetes answered " + status + ": because]");
        assertThat(rig.start()).hasToString(outcome + "[reason=kubernetes answered " + status + ": because]");
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "null", "{\"kind\":\"Status\"}", "<html>", "{\"kind\":\"Scale\""})
    void whatIsNotTheObjectAskedForIsNeverReadAsStopped(String body) {
        api.answersAll(Response.of(200, body));

        assertThat(rig.stop()).isInstanceOf(Outcome.Retry.class);
        assertThat(rig.start()).isInstanceOf(Outcome.Retry.class);
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void aBrokenConnectionIsRetried() {
        api.answersAll(Response.cut());

        assertThat(rig.stop()).isInstanceOf(Outcome.Retry.class);
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void silenceIsGivenUp() {
        api.answersAll(Response.silence());
        try (var hasty = new Rig(ActuatorSettings.at(api.url()).hasty(), SPEC)) {
            assertThat(hasty.stop()).isEqualTo(new Outcome.Retry("kubernetes: no answer within 300 ms"));
            assertThat(hasty.state()).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    void withoutATokenNothingIsAsked(@TempDir Path folder) {
        var absent = folder.resolve("token");
        var secure = URI.create(api.url().toString().replace("http:", "https:"));
        var kubernetes = new KubernetesSettings(secure, Optional.of(absent), Optional.empty());
        try (var tokenless = new Rig(ActuatorSettings.at(api.url()), kubernetes, Rig.CREDENTIALS, SPEC)) {
            assertThat(tokenless.stop())
                    .isEqualTo(new Outcome.Retry(
                            "kubernetes: holdfast.kubernetes.token-file (" + absent + ") cannot be read"));
            assertThat(tokenless.state()).isEqualTo(State.UNKNOWN);
            assertThat(api.requests()).isEmpty();
        }
    }
}
