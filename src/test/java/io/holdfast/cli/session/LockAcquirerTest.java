package io.holdfast.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliCalls;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.api.Timeouts;
import io.holdfast.cli.output.CliException;
import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Standing in line for longer than one request may take. */
@OnQuarkus
@QuarkusTest
class LockAcquirerTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration POLL_EVERY = Duration.ofMillis(20);
    /** They overlap by as much as those of a real wait do, and more. */
    private static final QueueWait.Limits SHORT = new QueueWait.Limits(Duration.ofSeconds(8), Duration.ofSeconds(4));

    private final String lock = CliCalls.unique("line");

    /** Three of its requests end while it stands in line; whoever came later stays behind it. */
    @Test
    void aWaitThatIsCutInPiecesKeepsItsPlace() {
        var holder = request("ada");
        acquirer(holder, QueueWait.Limits.DEFAULT).acquire(Duration.ZERO);
        var first = CompletableFuture.supplyAsync(
                () -> acquirer(request("bob"), SHORT).acquire(LONG));
        awaitWaiters(1);
        var second = CompletableFuture.supplyAsync(
                () -> acquirer(request("cem"), QueueWait.Limits.DEFAULT).acquire(LONG));
        awaitWaiters(2);
        for (var piece = 0; piece < 3; piece++) {
            var deadline = firstInLine().path("gives_up_at").asText();
            await().atMost(LONG)
                    .pollInterval(POLL_EVERY)
                    .until(() -> !firstInLine().path("gives_up_at").asText().equals(deadline));
            assertThat(firstInLine().path("owner").asText()).isEqualTo("bob");
        }

        LockReleaser.releaseAll(api(), holder, LONG);

        var bobs = first.join().locks().getFirst();
        assertThat(bobs.owner()).isEqualTo("bob");
        assertThat(second).isNotDone();
        LockReleaser.releaseAll(
                api(), new LockRequest(List.of(lock), "bob", bobs.lockId(), null, LockRequest.Labels.NONE), LONG);
        assertThat(second.join().locks().getFirst().owner()).isEqualTo("cem");
    }

    private LockAcquirer acquirer(LockRequest request, QueueWait.Limits limits) {
        return new LockAcquirer(
                api(),
                request,
                limits,
                new WaitProgress() {
                    @Override
                    public void blocked(ApiResponse refusal) {}

                    @Override
                    public void failed(CliException failure) {}
                },
                new Cancellation());
    }

    private static ApiClient api() {
        return new ApiClient(CliCalls.server(), new Timeouts(LONG, false));
    }

    private LockRequest request(String owner) {
        return new LockRequest(List.of(lock), owner, UUID.randomUUID().toString(), null, LockRequest.Labels.NONE);
    }

    private JsonNode firstInLine() {
        return waiters().getFirst();
    }

    private void awaitWaiters(int count) {
        await().atMost(LONG).pollInterval(POLL_EVERY).until(() -> waiters().size() == count);
    }

    private List<JsonNode> waiters() {
        var status = api().get(ApiClient.path("v1", "locks", lock)).body();
        return StreamSupport.stream(status.path("waiters").spliterator(), false).toList();
    }
}
