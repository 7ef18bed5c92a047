package io.holdfast.probe;

import static io.holdfast.power.model.AppStatus.DOWN;
import static io.holdfast.power.model.AppStatus.UNKNOWN;
import static io.holdfast.power.model.AppStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deploy.Right;
import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.registry.Workload;
import io.holdfast.remote.TestTls;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesProbeTest {
    private static final String SCALE = "GET /apis/apps/v1/namespaces/shop/deployments/reports/scale";

    private final FakeWorkloads kubernetes = new FakeWorkloads();
    private TestTls.Served server;
    private Probes probes;

    @BeforeEach
    void serve() throws IOException {
        server = TestTls.servePlain(kubernetes::answer);
        probes = ProbeSettings.PATIENT.probes(server.url(""));
    }

    @AfterEach
    void close() {
        probes.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"replicas\":0}"})
    void scaledToZeroWithoutPodsIsDown(String spec) {
        kubernetes.scaleSays(200, FakeWorkloads.scale(spec));

        var result = probed();

        assertThat(result).isEqualTo(new Result(DOWN, Optional.empty(), "scaled to 0, and no pod is left"));
        assertThat(kubernetes.asked())
                .containsExactly(
                        SCALE,
                        "GET /api/v1/namespaces/shop/pods?limit=1"
                                + "&labelSelector=app%3Dreports%2Ctier+in+%28web%2Capi%29");
    }

    @Test
    void aStatefulSetIsLookedAtByItsOwnName() {
        var workload = new Workload("shop", Workload.Kind.STATEFUL_SET, "reports");

        assertThat(probes.probe(Sharers.kubernetes(workload))
                        .await()
                        .atMost(Duration.ofSeconds(90))
                        .status())
                .isEqualTo(DOWN);
        assertThat(kubernetes.asked()).contains("GET /apis/apps/v1/namespaces/shop/statefulsets/reports/scale");
    }

    @Test
    void theRoleOfTheManifestsAllowsWhatItAsksForAndNoMore() {
        for (var kind : Workload.Kind.values()) {
            probes.probe(Sharers.kubernetes(new Workload("shop", kind, "reports")))
                    .await()
                    .atMost(Duration.ofSeconds(90));
        }

        assertThat(kubernetes.asked())
                .extracting(asked -> asked.split(" "))
                .extracting(asked -> Right.of(asked[0], asked[1]))
                .hasSameElementsAs(Right.ofRole("holdfast-probe"));
    }

    /** Ready or not: it is meant to run. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void scaledToMoreIsUpEvenWithoutPods(int replicas) {
        kubernetes.scaleSays(200, FakeWorkloads.scale("{\"replicas\":" + replicas + "}"));

        assertThat(probed().status()).isEqualTo(UP);
        assertThat(kubernetes.asked()).containsExactly(SCALE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\":{\"name\":\"reports-1\"},\"status\":{\"phase\":\"Running\"}}",
                "{\"metadata\":{\"name\":\"reports-1\",\"deletionTimestamp\":\"2025-11-28T18:00:00Z\"},"
                        + "\"status\":{\"phase\":\"Running\"}}",
                "{\"metadata\":{\"name\":\"reports-1\"},\"status\":{\"phase\":\"Failed\",\"reason\":\"Evicted\"}}",
                "{\"metadata\":{\"name\":\"reports-1\"}}"
            })
    void scaledToZeroWithAPodLeftIsUpTerminatingOnesIncluded(String pod) {
        kubernetes.podsSay(200, FakeWorkloads.pods(pod));

        var result = probed();

        assertThat(result.status()).isEqualTo(UP);
        assertThat(result.detail()).isEqualTo("scaled to 0, but pod reports-1 is left");
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 301, 401, 403, 404, 409, 429, 500, 503})
    void anyOtherStatusForTheScaleIsUnknown(int code) {
        kubernetes.scaleSays(code, FakeWorkloads.scale("{}"));

        assertUnknown(probed());
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 301, 401, 403, 404, 410, 429, 500, 503})
    void anyOtherStatusForThePodsIsUnknown(int code) {
        kubernetes.podsSay(code, FakeWorkloads.NO_PODS);

        assertUnknown(probed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ok",
                "[]",
                "{}",
                "{\"kind\":\"Status\",\"status\":\"Success\"}",
                "{\"kind\":\"Scale\",\"metadata\":{\"name\":\"reports\",\"namespace\":\"shop\"},"
                        + "\"status\":{\"selector\":\"app=reports\"}}",
                "{\"kind\":\"Scale\",\"metadata\":{\"name\":\"reports\",\"namespace\":\"shop\"},\"spec\":null,"
                        + "\"status\":{\"selector\":\"app=reports\"}}",
                "{\"kind\":\"Scale\",\"metadata\":{\"name\":\"reports\",\"namespace\":\"shop\"},\"spec\":{}}",
                "{\"kind\":\"Scale\",\"metadata\":{\"name\":\"reports\",\"namespace\":\"shop\"},\"spec\":{},"
                        + "\"status\":{\"selector\":\"\"}}",
                "{\"kind\":\"Scale\",\"metadata\":{\"name\":\"other\",\"namespace\":\"shop\"},\"spec\":{},"
                        + "\"status\":{\"selector\":\"app=reports\"}}",
                "{\"kind\":\"Scale\",\"metadata\":{\"name\":\"reports\",\"namespace\":\"other\"},\"spec\":{},"
                        + "\"status\":{\"selector\":\"app=reports\"}}"
            })
    void anythingButTheWorkloadsScaleIsUnknown(String body) {
        kubernetes.scaleSays(200, body);

        assertUnknown(probed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "\"0\"", "-1", "0.0", "[]"})
    void replicasThatAreNoNumberAreUnknown(String replicas) {
        kubernetes.scaleSays(200, FakeWorkloads.scale("{\"replicas\":" + replicas + "}"));

        assertUnknown(probed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"kind\":\"PodList\"}",
                "{\"kind\":\"PodList\",\"items\":null}",
                "{\"kind\":\"Status\",\"items\":[]}",
                "{\"kind\":\"PodList\",\"metadata\":{\"continue\":\"eyJ2Ijoi\"},\"items\":[]}",
                "{\"kind\":\"PodList\",\"items\":[]"
            })
    void anythingButAWholeListOfPodsIsUnknown(String body) {
        kubernetes.podsSay(200, body);

        assertUnknown(probed());
    }

    @Test
    void anApiServerThatCannotBeReachedIsUnknown() {
        server.close();

        assertUnknown(probed());
    }

    private Result probed() {
        return probes.probe(Sharers.kubernetes(Sharers.WORKLOAD)).await().atMost(Duration.ofSeconds(90));
    }

    private static void assertUnknown(Result result) {
        assertThat(result.status()).as(result.detail()).isEqualTo(UNKNOWN);
        assertThat(result.httpCode()).isEmpty();
    }
}
