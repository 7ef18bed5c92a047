package io.holdfast.http;

import static io.holdfast.http.database.PowerCalls.registered;
import static io.holdfast.http.database.RegistryCalls.app;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.path;
import static io.holdfast.http.lock.LockCalls.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.database.TwoApps;
import io.holdfast.stage.SmallApp;
import io.holdfast.suite.OnQuarkus;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a caller that traces finds in its trace. */
@OnQuarkus
@QuarkusTest
@TestProfile(TracingOn.class)
class TracingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CALLER = "00f067aa0ba902b7";

    @Inject
    InMemorySpanExporter kept;

    private final String trace = UUID.randomUUID().toString().replace("-", "");

    @Test
    void anAcquireIsPartOfTheCallersTraceAndNamesLockAndOwner() {
        var name = unique("traced");

        var answer = acquire(name, "ada");

        var step = awaited("lock acquire");
        var request = request();
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(request.getParentSpanId()).isEqualTo(CALLER);
        assertThat(request.getName()).isEqualTo("POST /v1/locks/{name}");
        assertThat(step.getParentSpanId()).isEqualTo(request.getSpanId());
        assertThat(List.of(request, step))
                .extracting(span -> said(span, "lock") + " " + said(span, "owner"))
                .containsOnly(name + " ada");
        assertThat(said(step, "lock_id")).isEqualTo(answer.path("lock_id"));
        assertThat(said(step, "outcome")).isEqualTo("Granted");
        assertThat(step.getAttributes().get(AttributeKey.longKey("holdfast.fencing_token")))
                .isEqualTo(token(answer));
    }

    @Test
    void aConflictIsAnOutcomeAndNoError() {
        String name = acquired(unique("traced-conflict"), "ada").path("name");

        assertThat(acquire(name, "bob").statusCode()).isEqualTo(409);

        assertThat(said(awaited("lock acquire"), "outcome")).isEqualTo("HeldByAnother");
        assertThat(said(awaited("lock acquire"), "owner")).isEqualTo("bob");
    }

    @Test
    void nobodysAddressAndNothingThatIsSaidOfALockIsInATrace() {
        var body = Map.of("owner", "ada", "user_email", "ada@example.com", "metadata", Map.of("reason", "hush"));

        Calls.post(path(unique("traced-email")), body, asCaller()).expect(201);

        awaited("lock acquire");
        request();
        assertThat(spans()).asString().doesNotContain("ada@example.com").doesNotContain("hush");
    }

    @Test
    void aStopShowsWhoWasLookedAtAndWhatWasOrdered() {
        try (var stage = new TwoApps();
                var c = new SmallApp()) {
            stage.a.goDown();
            var cName = registered("c", c.goDown(), stage.db);

            Calls.post(app(stage.bName) + "/stop", "", asCaller()).expect(200);

            var request = request();
            assertThat(named("probe"))
                    .extracting(span -> said(span, "app") + " " + said(span, "outcome"))
                    .containsExactlyInAnyOrder(stage.aName + " DOWN", cName + " DOWN");
            assertThat(said(awaited("power commit"), "outcome")).isEqualTo("Done");
            assertThat(said(awaited("power commit"), "database")).isEqualTo(stage.db);
            assertThat(said(awaited("actuator stop"), "outcome")).isEqualTo("Accepted");
            assertThat(said(awaited("power record"), "outcome")).isEqualTo("STOPPED");
            assertThat(ours()).allSatisfy(span -> assertThat(span.getParentSpanId())
                    .as(span.getName())
                    .isEqualTo(request.getSpanId()));
        }
    }

    @Test
    void aWaitEndsWhenItsCallerHangsUpAndWhatItLeavesIsATraceOfItsOwn() throws IOException {
        String name = acquired(unique("traced-wait"), "ada").path("name");
        try (var bob = waits(name)) {
            await().atMost(PATIENCE).until(() -> get(name).<Integer>path("waiting") == 1);

            bob.hangUp();

            assertThat(request().hasEnded()).isTrue();
            assertThat(said(awaited("lock acquire"), "outcome")).isEqualTo("Queued");
            await().atMost(PATIENCE).until(() -> kept.getFinishedSpanItems().stream()
                    .filter(span -> span.getName().equals("lock withdraw"))
                    .anyMatch(span -> name.equals(said(span, "lock"))));
        }
    }

    /** Whoever gives a lock back hands it to the next; its request is still about its own lease. */
    @Test
    void aRequestIsMarkedWithItsOwnOwnerAndNotWithTheNextOnes() throws IOException {
        var held = acquired(unique("traced-hand-over"), "ada");
        String name = held.path("name");
        var query = "?owner=ada&lock_id=" + held.path("lock_id");
        try (var bob = RawHttp.begin(RestAssured.port, asking(name, ""))) {
            await().atMost(PATIENCE).until(() -> get(name).<Integer>path("waiting") == 1);

            Calls.delete(path(name) + query, asCaller()).expect(200);

            assertThat(bob.answer().status()).isEqualTo(201);
            assertThat(said(request(), "owner")).isEqualTo("ada");
        }
    }

    private Answer acquire(String name, String owner) {
        return Calls.post(path(name), Map.of("owner", owner), asCaller());
    }

    private String[] asCaller() {
        return new String[] {"traceparent", "00-" + trace + "-" + CALLER + "-01"};
    }

    private RawHttp.Exchange waits(String name) throws IOException {
        return RawHttp.begin(RestAssured.port, asking(name, "traceparent: 00-" + trace + "-" + CALLER + "-01\r\n"));
    }

    private static byte[] asking(String name, String header) {
        var body = "{\"owner\":\"bob\",\"wait\":\"1m\"}";
        return "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(path(name), header, body.length(), body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private List<SpanData> spans() {
        return kept.getFinishedSpanItems().stream()
                .filter(span -> span.getTraceId().equals(trace))
                .toList();
    }

    /** Without those that the HTTP server and the HTTP clients make. */
    private List<SpanData> ours() {
        return spans().stream()
                .filter(span -> span.getKind() == SpanKind.INTERNAL)
                .toList();
    }

    private List<SpanData> named(String name) {
        return spans().stream().filter(span -> span.getName().equals(name)).toList();
    }

    private SpanData awaited(String name) {
        await().atMost(PATIENCE).until(() -> !named(name).isEmpty());
        return named(name).get(0);
    }

    /** The last to end. */
    private SpanData request() {
        await().atMost(PATIENCE).until(() -> spans().stream().anyMatch(span -> span.getKind() == SpanKind.SERVER));
        return spans().stream()
                .filter(span -> span.getKind() == SpanKind.SERVER)
                .findAny()
                .orElseThrow();
    }

    private static String said(SpanData span, String what) {
        return span.getAttributes().get(AttributeKey.stringKey("holdfast." + what));
    }
}
