package io.holdfast.http.job;

import static io.holdfast.http.job.JobCalls.cluster;
import static io.holdfast.http.job.JobCalls.epoch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import io.holdfast.http.TracingOn;
import io.holdfast.suite.OnQuarkus;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What submitters and workers that trace find in their traces. */
@OnQuarkus
@QuarkusTest
@TestProfile(TracingOn.class)
class JobTracingTest {
    private static final String CALLER = "00f067aa0ba902b7";

    @Inject
    InMemorySpanExporter kept;

    @Test
    void eachStepOfAJobIsInTheTraceOfItsRequest() {
        var id = cluster();
        var submitTrace = newTrace();
        String job = Calls.post(JobCalls.path(id) + "/jobs", Map.of("type", "CREATE"), in(submitTrace))
                .expect(201)
                .path("id");
        var claimTrace = newTrace();
        var body = Map.of("worker", "w-" + id, "labels", Map.of("test", id));
        var claim = Calls.post("/v1/jobs/claim", body, in(claimTrace)).expect(200);
        var heartbeatTrace = report(claim, "heartbeat");
        var finishTrace = report(claim, "complete");

        var submit = awaited(submitTrace, "job submit");
        assertThat(said(submit, "job") + " " + said(submit, "cluster")).isEqualTo(job + " " + id);
        assertThat(submit.getParentSpanId()).isEqualTo(request(submitTrace).getSpanId());
        assertThat(List.of(
                        awaited(claimTrace, "job claim"),
                        awaited(heartbeatTrace, "job heartbeat"),
                        awaited(finishTrace, "job finish")))
                .allSatisfy(span -> {
                    assertThat(said(span, "job") + " " + said(span, "cluster")).isEqualTo(job + " " + id);
                    assertThat(said(span, "worker")).isEqualTo("w-" + id);
                    assertThat(span.getAttributes().get(AttributeKey.longKey("holdfast.epoch")))
                            .isEqualTo(epoch(claim));
                    assertThat(said(span, "outcome")).isEqualTo("Done");
                    assertThat(span.getParentSpanId())
                            .isEqualTo(request(span.getTraceId()).getSpanId());
                });
        assertThat(said(request(finishTrace), "job")).isEqualTo(job);
    }

    private static String newTrace() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private static String report(Answer claim, String action) {
        var trace = newTrace();
        var path = "/v1/jobs/" + claim.<String>path("job.id") + "/" + action;
        Calls.post(path, Map.of("epoch", epoch(claim)), in(trace)).expect(200);
        return trace;
    }

    private static String[] in(String trace) {
        return new String[] {"traceparent", "00-" + trace + "-" + CALLER + "-01"};
    }

    private SpanData awaited(String trace, String name) {
        await().until(() -> of(trace).stream().anyMatch(span -> span.getName().equals(name)));
        return of(trace).stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private SpanData request(String trace) {
        await().until(() -> of(trace).stream().anyMatch(span -> span.getKind() == SpanKind.SERVER));
        return of(trace).stream()
                .filter(span -> span.getKind() == SpanKind.SERVER)
                .findFirst()
                .orElseThrow();
    }

    private List<SpanData> of(String trace) {
        return kept.getFinishedSpanItems().stream()
                .filter(span -> span.getTraceId().equals(trace))
                .toList();
    }

    private static String said(SpanData span, String what) {
        return span.getAttributes().get(AttributeKey.stringKey("holdfast." + what));
    }
}
