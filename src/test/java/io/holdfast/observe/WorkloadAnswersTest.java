package io.holdfast.observe;

import static io.holdfast.lifecycle.model.Observation.State.ABSENT;
import static io.holdfast.lifecycle.model.Observation.State.RUNNING;
import static io.holdfast.lifecycle.model.Observation.State.UNKNOWN;
import static io.holdfast.observe.FakeCluster.NOT_FOUND;
import static io.holdfast.observe.FakeCluster.NOW;
import static io.holdfast.observe.FakeCluster.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deploy.Right;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.observe.FakeCluster.Said;
import io.holdfast.probe.ProbeSettings;
import io.holdfast.registry.Workload;
import io.holdfast.remote.Excerpt;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the whole and right answer of an API server says something of a workload. */
class WorkloadAnswersTest {
    private static final String SCALE = "GET /apis/apps/v1/namespaces/shop/deployments/reports/scale";
    private static final String PODS = "GET /api/v1/namespaces/shop/pods?limit=100&labelSelector=app%3Dreports";

    private final FakeCluster cluster = new FakeCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    /** The role in {@code k8s/base/roles.yaml}: get of the scales, list of pods. */
    @Test
    void theRoleOfTheProbesAllowsWhatIsAskedFor() {
        for (var kind : Workload.Kind.values()) {
            cluster.seen(new ObserveSpec.Kubernetes(new Workload("shop", kind, "reports")), NOW);
        }
        cluster.scaleSays(404, NOT_FOUND);
        cluster.seen();

        assertThat(cluster.asked())
                .extracting(asked -> asked.split(" "))
                .extracting(asked -> Right.of(asked[0], asked[1]))
                .hasSameElementsAs(Right.ofRole("holdfast-probe"));
    }

    @Test
    void aWorkloadThatKubernetesDoesNotFindIsAbsent() {
        cluster.scaleSays(404, NOT_FOUND);

        assertThat(cluster.seen()).isEqualTo(new Observation(ABSENT, "the workload does not exist"));
        assertThat(cluster.asked()).containsExactly(SCALE, "GET /api/v1/namespaces/shop/pods?limit=1", SCALE);
    }

    /** An API server that cannot read its storage answers that a Deployment's scale is not found. */
    @Test
    void aWorkloadIsNotAbsentWhileTheStorageOfKubernetesDoesNotAnswer() {
        cluster.scaleSays(404, NOT_FOUND);
        cluster.podsSay(500, "{\"kind\":\"Status\",\"reason\":\"InternalError\",\"message\":\"etcdserver: timeout\"}");

        assertThat(cluster.seen()).isEqualTo(Observation.unknown("the Kubernetes API answered with 500"));
    }

    @Test
    void aWorkloadThatIsFoundAgainIsNotAbsent() {
        cluster.scaleSays(new Said(404, NOT_FOUND), new Said(200, FakeCluster.scale("{\"replicas\":1}")));
        cluster.podsSay(200, FakeCluster.page(Optional.empty(), pod("a")));

        assertThat(cluster.seen().state()).isEqualTo(RUNNING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "404 page not found",
                "<html><body>Not Found</body></html>",
                "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{}}",
                "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"name\":\"other\"}}",
                "{\"kind\":\"Status\",\"reason\":\"Expired\",\"details\":{\"name\":\"reports\"}}",
                "{\"kind\":\"Error\",\"reason\":\"NotFound\",\"details\":{\"name\":\"reports\"}}"
            })
    void any404ButThatOfTheWorkloadIsUnknown(String body) {
        cluster.scaleSays(404, body);

        assertThat(cluster.seen()).isEqualTo(Observation.unknown("the Kubernetes API has no such workload (404)"));
    }

    @ParameterizedTest
    @CsvSource({
        "401, the Kubernetes API rejects the token (401)",
        "403, the Kubernetes API denies access (403)",
        "410, the Kubernetes API answered with 410",
        "500, the Kubernetes API answered with 500",
        "503, the Kubernetes API answered with 503"
    })
    void aRefusalIsUnknownWithItsCause(int code, String detail) {
        cluster.scaleSays(code, NOT_FOUND);
        assertThat(cluster.seen()).isEqualTo(Observation.unknown(detail));

        cluster.has(1);
        cluster.podsSay(code, NOT_FOUND);
        assertThat(cluster.seen()).isEqualTo(Observation.unknown(detail));
    }

    @Test
    void aListOfPodsThatIsNotFoundIsUnknown() {
        cluster.podsSay(404, NOT_FOUND);

        assertThat(cluster.seen().state()).isEqualTo(UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noAnswerInTimeIsUnknown(boolean atTheScale) {
        try (var slow = new FakeCluster(ProbeSettings.PATIENT.withTimeout(Duration.ofMillis(500)))) {
            if (atTheScale) {
                slow.scaleSays(FakeCluster.SILENCE, "");
            } else {
                slow.podsSay(FakeCluster.SILENCE, "");
            }

            assertThat(slow.seen()).isEqualTo(Observation.unknown("no answer within 500 ms"));
        }
    }

    @Test
    void aBodyThatIsCutOffIsUnknown() {
        cluster.scaleSays(FakeCluster.CUT_OFF, FakeCluster.scale("{\"replicas\":1}"));
        assertUnknown("no valid answer");

        cluster.has(1);
        cluster.podsSay(FakeCluster.CUT_OFF, FakeCluster.page(Optional.empty()));
        assertUnknown("no valid answer");
    }

    @Test
    void anApiServerThatCannotBeReachedIsUnknown() {
        cluster.close();

        assertUnknown("no connection");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ok", "[]", "{}", "{\"kind\":\"PodList\"}", "{\"kind\":\"PodList\",\"items\":["})
    void anythingButAListOfPodsIsUnknown(String body) {
        cluster.podsSay(200, body);

        assertThat(cluster.seen().state()).isEqualTo(UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ok", "[]", "{}", "{\"kind\":\"Scale\",\"metadata\":{\"name\":\"reports\""})
    void anythingButAScaleIsUnknown(String body) {
        cluster.scaleSays(200, body);

        assertThat(cluster.seen().state()).isEqualTo(UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"\"app=reports\", \"\"", "\"selector\", \"other\""})
    void aScaleWithoutASelectorIsUnknown(String part, String instead) {
        cluster.scaleSays(200, FakeCluster.scale("{\"replicas\":1}").replace(part, instead));

        assertThat(cluster.seen()).isEqualTo(Observation.unknown("the Kubernetes API's answer has no status.selector"));
        assertThat(cluster.asked()).containsExactly(SCALE);
    }

    @ParameterizedTest
    @CsvSource({"\"name\":\"reports\", \"name\":\"other\"", "\"namespace\":\"shop\", \"namespace\":\"other\""})
    void theScaleOfAnotherObjectIsUnknown(String part, String instead) {
        cluster.scaleSays(200, FakeCluster.scale("{}").replace(part, instead));

        assertThat(cluster.seen())
                .isEqualTo(Observation.unknown("the Kubernetes API's answer is not the scale of the workload"));
    }

    @ParameterizedTest
    @CsvSource({
        "\"name\":\"a\", \"named\":\"a\"",
        "\"uid\":\"uid-of-a\", \"uid\":\"\"",
        "\"phase\":\"Running\", \"phase\":null",
        "\"creationTimestamp\":, \"createdAt\":",
        "2026-02-28T12:00:00Z, yesterday",
        "\"namespace\":\"shop\", \"deletionTimestamp\":0",
        "\"restartCount\":7, \"restartCount\":\"7\"",
        "\"name\":\"web\", \"name\":null",
        "\"initContainerStatuses\":[], \"initContainerStatuses\":{}"
    })
    void aPodWithoutAPartThatKubernetesAlwaysSendsIsUnknown(String part, String instead) {
        var page = FakeCluster.page(Optional.empty(), pod("a").running("web", 7));
        cluster.podsSay(200, page);
        assertThat(cluster.seen().state()).isEqualTo(RUNNING);

        cluster.podsSay(200, page.replace(part, instead));
        assertUnknown("the Kubernetes API's answer has a pod without a valid ");
    }

    @Test
    void aPodWithoutListsIsRead() {
        var page = FakeCluster.page(Optional.empty(), pod("a").phase("Pending"))
                .replaceAll(",\"(conditions|initContainerStatuses|containerStatuses)\":\\[[^]]*]", "");
        cluster.podsSay(200, page);

        assertThat(cluster.seen().detail()).isEqualTo("0 of 1 pods are ready, pod a: Pending");
    }

    @Test
    void thePodsOfAllPagesCount() {
        cluster.has(10);
        cluster.hasPages(pages(10));

        assertThat(cluster.seen()).isEqualTo(new Observation(RUNNING, "10 of 10 pods are ready"));
        assertThat(cluster.asked())
                .hasSize(11)
                .startsWith(SCALE, PODS, PODS + "&continue=%2F2")
                .endsWith(PODS + "&continue=%2F10");
    }

    @Test
    void moreThanTenPagesAreUnknown() {
        cluster.has(11);
        cluster.hasPages(pages(11));

        assertThat(cluster.seen()).isEqualTo(Observation.unknown("the workload has more than 1000 pods"));
        assertThat(cluster.asked()).hasSize(11);
    }

    @ParameterizedTest
    @CsvSource({"410, {}", "500, ''", "200, {}", "-2, {}"})
    void aPageThatFailsInTheMiddleIsUnknown(int code, String body) {
        cluster.has(3);
        cluster.hasPages(pages(3));
        cluster.pageSays(2, code, body);

        assertThat(cluster.seen().state()).isEqualTo(UNKNOWN);
    }

    @Test
    void aListThatFailsIsNotRemembered() {
        cluster.has(1, pod("a").running("web", 10));
        cluster.hasPages(List.of(pod("a").running("web", 10), pod("b")));
        cluster.pageSays(2, 500, "");
        cluster.seen();
        cluster.has(1, pod("a").running("web", 20));

        assertThat(cluster.seenAt(NOW.plusSeconds(60)).state()).isEqualTo(RUNNING);
    }

    @Test
    void aDetailIsOneBoundedLine() {
        cluster.has(1, pod("a").waiting("web", 0, "\\n" + "long ".repeat(100)));

        assertThat(cluster.seen().detail())
                .doesNotContain("\n")
                .startsWith("0 of 1 pods are ready, pod a: long long")
                .hasSize(Excerpt.LENGTH_MAX + 1);
    }

    private static List<FakePod> pages(int number) {
        return IntStream.rangeClosed(1, number).mapToObj(i -> pod("pod-" + i)).toList();
    }

    private void assertUnknown(String cause) {
        var seen = cluster.seen();
        assertThat(seen.state()).isEqualTo(UNKNOWN);
        assertThat(seen.detail()).startsWith(cause);
    }
}
