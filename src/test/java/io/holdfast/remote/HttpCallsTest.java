package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.remote.FakeServer.Response;
import io.holdfast.remote.HttpCalls.Answer;
import io.holdfast.remote.HttpCalls.Call;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpCallsTest {
    private static final Duration PATIENT = Duration.ofSeconds(60);
    private static final Duration HASTY = Duration.ofMillis(100);

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient oneConnection = vertx.createHttpClient(new HttpClientOptions().setMaxPoolSize(1));
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final FakeServer server = new FakeServer(request -> {
        if (request.uri().getPath().equals("/first")) {
            arrived.countDown();
            await(released);
        }
        return Response.of(200, "ok");
    });

    @AfterEach
    void close() {
        released.countDown();
        oneConnection.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        server.close();
    }

    @Test
    void aCallThatIsGivenUpBeforeItHasAConnectionIsNeverSent() {
        var patiently = new HttpCalls(PATIENT, 1024);
        var first = patiently.call(oneConnection, to("/first")).subscribeAsCompletionStage();
        await(arrived);

        var second = new HttpCalls(HASTY, 1024)
                .call(oneConnection, to("/second"))
                .await()
                .atMost(PATIENT);
        assertThat(second).isEqualTo(new Answer.None("no answer within 100 ms"));

        var third = patiently.call(oneConnection, to("/third")).subscribeAsCompletionStage();
        released.countDown();
        first.join();
        third.join();
        assertThat(server.requests())
                .extracting(request -> request.uri().getPath())
                .containsExactly("/first", "/third");
    }

    private Call to(String path) {
        return new Call(HttpMethod.POST, server.url().resolve(path), Map.of(), Optional.of("body"));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
