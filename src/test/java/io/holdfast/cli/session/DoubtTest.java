package io.holdfast.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.api.Timeouts;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.lock.LockBody;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that leave open what happened, and those that only seem to. */
class DoubtTest {
    private static final String GATEWAY = "<html>time-out</html>";
    private static final String LOCK_ID = "3f0e8b52-6c1d-4c0e-9a57-2f4d1b6a9c10";
    private static final String LOCK =
            """
            {"name":"a","lock_id":"%s","owner":"ada","fencing_token":7,"status":"active","remaining_ms":60000}"""
                    .formatted(LOCK_ID);
    private static final LockRequest REQUEST =
            new LockRequest(List.of("a"), "ada", LOCK_ID, null, LockRequest.Labels.NONE);

    private static final List<LockBody> LEASES = List.of(lease("a", 7));

    private static final Said BLOCKED = new Said(409, "{\"code\":\"lock-conflict\",\"detail\":\"blocked\"}");
    private static final Said BUSY = new Said(429, "{\"code\":\"queue-full\",\"detail\":\"too many\"}");

    private final Queue<Said> answers = new ConcurrentLinkedQueue<>();
    private final List<String> asked = new ArrayList<>();
    private HttpServer server;
    private ApiClient api;

    private record Said(int status, String body) {}

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod()
                    + (exchange.getRequestMethod().equals("DELETE") ? " " + exchange.getRequestURI() : "")
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            var said = answers.remove();
            var body = said.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set("Content-Type", said.body().startsWith("{") ? "application/json" : "text/html");
            exchange.sendResponseHeaders(said.status(), body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        api = new ApiClient(
                "http://localhost:" + server.getAddress().getPort(), new Timeouts(Duration.ofSeconds(30), true));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aGatewayThatGaveUpIsAskedAgainAndTheLockIsFound() {
        answers.add(new Said(504, GATEWAY));
        answers.add(new Said(200, LOCK));

        assertThat(acquire(Duration.ZERO).isNew()).isTrue();
    }

    /** The service died after it had granted the lock, and is not there again at once. */
    @Test
    void whatIsOnceInDoubtStaysSoUntilTheLockIsFound() {
        answers.addAll(List.of(new Said(504, GATEWAY), BUSY, new Said(200, LOCK)));

        assertThat(acquire(Duration.ZERO).isNew()).isTrue();
    }

    /** The first of two was taken by a request that nobody answered, and the other is held by somebody. */
    @Test
    void whoIsRefusedAfterADoubtGivesBackWhatMayHaveBeenTaken() {
        answers.addAll(List.of(new Said(504, GATEWAY), BLOCKED, new Said(200, "{\"released\":true}")));

        assertThatThrownBy(() -> acquire(Duration.ZERO))
                .isInstanceOfSatisfying(CliException.class, failure -> assertThat(failure.exit())
                        .isEqualTo(Exit.REFUSED));

        assertThat(asked).hasSize(3).last().asString().startsWith("DELETE");
    }

    /** It may stand for a lease that somebody has had for long. */
    @Test
    void anAcquisitionThatWasNamedIsNotGivenBackInDoubt() {
        var named = new LockRequest(List.of("a"), "ada", LOCK_ID, null, LockRequest.Labels.NONE, true);
        answers.addAll(List.of(new Said(504, GATEWAY), BLOCKED));

        assertThatThrownBy(() -> acquirer(named, new Cancellation()).acquire(Duration.ZERO))
                .isInstanceOf(CliException.class);

        assertThat(asked).hasSize(2);
    }

    @Test
    void aServiceThatAllowsShorterWaitsIsAskedForThose() {
        var tooLong =
                new Said(400, "{\"code\":\"invalid-input\",\"field\":\"wait\",\"detail\":\"wait must be shorter\"}");
        answers.addAll(List.of(BLOCKED, tooLong, tooLong, new Said(201, LOCK)));

        acquire(Duration.ofMinutes(20));

        assertThat(asked).element(1).asString().contains("\"wait\":\"300000ms\"");
        assertThat(asked).element(2).asString().contains("\"wait\":\"150000ms\"");
        assertThat(asked).element(3).asString().contains("\"wait\":\"75000ms\"");
    }

    @Test
    void whoIsCalledBackGivesBackWhatWasGrantedMeanwhile() {
        var cancellation = new Cancellation();
        cancellation.request(15);
        answers.add(new Said(201, LOCK));
        answers.add(new Said(200, "{\"released\":true}"));

        assertThatThrownBy(() -> acquirer(cancellation).acquire(Duration.ZERO))
                .isInstanceOfSatisfying(CliException.class, failure -> assertThat(failure.exit())
                        .isEqualTo(143));

        assertThat(asked).hasSize(2).last().asString().startsWith("DELETE");
    }

    @Test
    void aReleaseThatAGatewayGaveUpOnIsNoLoss() throws InterruptedException {
        answers.add(new Said(504, GATEWAY));
        answers.add(new Said(200, "{\"released\":false}"));

        assertThat(isOurs()).isTrue();
    }

    @Test
    void aReleaseOfWhatIsGoneIsALoss() throws InterruptedException {
        answers.add(new Said(200, "{\"released\":false}"));

        assertThat(isOurs()).isFalse();
    }

    @Test
    void aReleaseOfWhatAnotherHasIsALoss() throws InterruptedException {
        answers.add(new Said(404, "{\"code\":\"lock-not-held\",\"detail\":\"not yours\"}"));

        assertThat(isOurs()).isFalse();
    }

    @Test
    void aPageOfSomebodyElsesSaysNothingAboutALock() throws InterruptedException {
        answers.add(new Said(404, GATEWAY));
        answers.add(new Said(200, "{\"released\":true}"));

        assertThat(isOurs()).isTrue();
    }

    /** A connection that was asked for before, and that the service comes to afterwards, takes the lock anew. */
    @Test
    void whatMayBeTakenAnewIsGivenBackOnceMore() throws InterruptedException {
        answers.add(new Said(200, "{\"released\":true}"));
        answers.add(new Said(200, "{\"released\":true}"));

        try (var unanswered = LeaseMonitorTest.start(Duration.ofHours(1), Duration.ZERO)) {
            await().atMost(Duration.ofMinutes(1)).until(unanswered::hasPendingRequest);
            assertThat(new LockReleaser(api, REQUEST, LEASES).release(note -> {}, unanswered))
                    .isTrue();
        }

        assertThat(asked).hasSize(2);
    }

    @Test
    void aReleaseThatIsNotAllowedIsNotAskedForAgain() throws InterruptedException {
        answers.add(new Said(403, "{\"code\":\"forbidden\",\"detail\":\"not you\"}"));

        assertThat(isOurs()).isTrue();
        assertThat(asked).hasSize(1);
    }

    @Test
    void aReleaseNamesTheTokenOfTheLease() throws InterruptedException {
        answers.add(new Said(200, "{\"released\":true}"));

        assertThat(isOurs()).isTrue();

        assertThat(asked).containsExactly("DELETE /v1/locks/a?lock_id=" + LOCK_ID + "&owner=ada&fencing_token=7");
    }

    /** Each has a token of its own. */
    @Test
    void severalAreReleasedOneByOneAndOneThatWasLostIsALoss() throws InterruptedException {
        var both = new LockRequest(List.of("a", "b/c"), "ada", LOCK_ID, null, LockRequest.Labels.NONE);
        answers.add(new Said(404, "{\"code\":\"lock-not-held\",\"detail\":\"another token\"}"));
        answers.add(new Said(200, "{\"released\":true}"));

        assertThat(new LockReleaser(api, both, List.of(lease("a", 7), lease("b/c", 9)))
                        .release(note -> {}, Duration.ofSeconds(1)))
                .isFalse();

        assertThat(asked)
                .containsExactly(
                        "DELETE /v1/locks/a?lock_id=" + LOCK_ID + "&owner=ada&fencing_token=7",
                        "DELETE /v1/locks/b%2Fc?lock_id=" + LOCK_ID + "&owner=ada&fencing_token=9");
    }

    /** What a request may have taken that nobody answered has a token that is not known here. */
    @Test
    void aCleanUpNamesNoToken() {
        answers.addAll(List.of(new Said(504, GATEWAY), BLOCKED, new Said(200, "{\"released\":true}")));

        assertThatThrownBy(() -> acquire(Duration.ZERO)).isInstanceOf(CliException.class);

        assertThat(asked).last().asString().isEqualTo("DELETE /v1/locks/a?lock_id=" + LOCK_ID + "&owner=ada");
    }

    private static LockBody lease(String name, long token) {
        return new LockBody(
                name, LOCK_ID, "ada", null, token, "active", "generic", "", "", 60_000, 60_000, 0, null, null, null,
                null, null, null, null, 0, null);
    }

    private boolean isOurs() throws InterruptedException {
        return new LockReleaser(api, REQUEST, LEASES).release(note -> {}, Duration.ofSeconds(1));
    }

    private AcquiredLocks acquire(Duration wait) {
        return acquirer(new Cancellation()).acquire(wait);
    }

    private LockAcquirer acquirer(Cancellation cancellation) {
        return acquirer(REQUEST, cancellation);
    }

    private LockAcquirer acquirer(LockRequest request, Cancellation cancellation) {
        return new LockAcquirer(
                api,
                request,
                QueueWait.Limits.DEFAULT,
                new WaitProgress() {
                    @Override
                    public void blocked(ApiResponse refusal) {}

                    @Override
                    public void failed(CliException failure) {}
                },
                cancellation);
    }
}
