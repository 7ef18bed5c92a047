package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.remote.FakeServer.Request;
import io.holdfast.remote.FakeServer.Response;
import io.holdfast.remote.KubernetesApi.Reply;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesApiTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final KubernetesApi.Bounds PATIENT = new KubernetesApi.Bounds(Duration.ofSeconds(60), 4);
    private static final KubernetesApi.Bounds HASTY = new KubernetesApi.Bounds(Duration.ofMillis(100), 4);

    private final Vertx vertx = Vertx.vertx();
    private final FakeServer server = new FakeServer(request -> Response.of(200, "{\"kind\":\"Pod\"}"));
    private final KubernetesApi api = api(server.url(), PATIENT);

    @AfterEach
    void close() {
        api.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/proxy", "/proxy/"})
    void theApiIsAskedBelowItsBase(String path) {
        try (var below = api(server.url().resolve(path), PATIENT)) {
            assertThat(got(below)).isInstanceOf(Reply.Done.class);
            assertThat(server.requests().getFirst().uri()).hasToString(path.replaceFirst("/$", "") + "/pod?x=%20");
        }
    }

    @Test
    void whatIsWrittenSaysWhatItIs() {
        var object = JsonNodeFactory.instance.objectNode().put("a", 1);

        api.put("/put", object).await().atMost(PATIENCE);
        api.mergePatch("/patch", object).await().atMost(PATIENCE);

        assertThat(server.requests())
                .extracting(Request::method, request -> request.header("Content-Type"), Request::body)
                .containsExactly(
                        tuple("PUT", "application/json", "{\"a\":1}"),
                        tuple("PATCH", "application/merge-patch+json", "{\"a\":1}"));
    }

    @ParameterizedTest
    @CsvSource({"302, ''", "404, 'not here'", "500, 'not now'"})
    void aRefusalHasItsStatusAndWhatKubernetesSays(int status, String message) {
        server.answers(request -> Response.of(status, message.isEmpty() ? "" : "{\"message\":\"" + message + "\"}"));

        assertThat(got(api)).isEqualTo(new Reply.Refused(status, message, Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({
        "404, Status, NotFound, true",
        "500, Status, NotFound, false",
        "404, Error, NotFound, false",
        "404, Status, Gone, false"
    })
    void onlyTheNotFoundOfKubernetesNamesTheMissingObject(int status, String kind, String reason, boolean named) {
        var body = "{\"kind\":\"%s\",\"reason\":\"%s\",\"details\":{\"name\":\"reports\"}}".formatted(kind, reason);
        server.answers(request -> Response.of(status, body));

        assertThat(got(api))
                .isEqualTo(new Reply.Refused(status, "", named ? Optional.of("reports") : Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({
        "the answer is not a Pod, {}",
        "the answer is not a Pod, '{\"kind\":\"Status\"}'",
        "the answer is not a JSON object, ''",
        "the answer is not a JSON object, '[]'",
        "the answer is not a JSON object, '{\"kind\":\"Pod\"} {}'",
        "the answer is not a JSON object, '{\"kind\":\"Status\",\"kind\":\"Pod\"}'"
    })
    void whatIsNotTheObjectAskedForIsNoAnswer(String reason, String body) {
        server.answers(request -> Response.of(200, body));

        assertThat(got(api)).isEqualTo(new Reply.None(reason));
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, false"})
    void anAnswerIsReadUpToFourMegabytesAndNotBeyond(int more, boolean read) {
        var object = "{\"kind\":\"Pod\"}";
        server.answers(request -> Response.of(200, object + " ".repeat(4 * 1024 * 1024 - object.length() + more)));

        assertThat(got(api) instanceof Reply.Done).isEqualTo(read);
    }

    @Test
    void silenceIsGivenUp() {
        server.answers(request -> Response.silence());
        try (var hasty = api(server.url(), HASTY)) {
            assertThat(got(hasty)).isEqualTo(new Reply.None("no answer within 100 ms"));
        }
    }

    @Test
    void nobodyListeningIsSaid() {
        server.close();

        assertThat(((Reply.None) got(api)).reason()).startsWith("no connection: ");
    }

    @Test
    void aCallWhoseTimeIsOverBeforeAWorkerIsFreeNeverLeaves() {
        var queued = new LinkedBlockingQueue<Runnable>();
        try (var busy = new KubernetesApi(vertx, KubernetesSettings.plain(server.url()), HASTY, queued::add)) {
            var reply = busy.put("/late", JsonNodeFactory.instance.objectNode());
            assertThat(reply.await().atMost(PATIENCE)).isEqualTo(new Reply.None("no answer within 100 ms"));
            queued.remove().run();
        }
        got(api);

        assertThat(server.requests())
                .extracting(request -> request.uri().getPath())
                .containsExactly("/pod");
    }

    @Test
    void answersArriveOnAWorkerAndNotOnAnEventLoop() {
        var arrivedOn = api.get("/pod", "Pod")
                .map(reply -> Context.isOnEventLoopThread())
                .await()
                .atMost(PATIENCE);

        assertThat(arrivedOn).isFalse();
    }

    private KubernetesApi api(URI url, KubernetesApi.Bounds bounds) {
        return new KubernetesApi(vertx, new KubernetesSettings(url, Optional.empty(), Optional.empty()), bounds);
    }

    private static Reply got(KubernetesApi api) {
        return api.get("/pod?x=%20", "Pod").await().atMost(PATIENCE);
    }
}
