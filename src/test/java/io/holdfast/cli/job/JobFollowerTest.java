package io.holdfast.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliCalls;
import io.holdfast.cli.OddServer;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.Timeouts;
import io.holdfast.cli.output.CliException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobFollowerTest {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final JsonNode QUEUED = CliCalls.parsed(job("QUEUED", ""));

    private final OddServer server = new OddServer();
    private final ApiClient api = new ApiClient(server.url(), new Timeouts(Duration.ofSeconds(30), true));
    private final Queue<Runnable> steps = new ArrayDeque<>();
    private final List<String> notes = new ArrayList<>();

    @AfterEach
    void close() {
        api.close();
        server.close();
    }

    @Test
    void eachChangeIsReportedUntilTheJobHasEnded() throws InterruptedException {
        steps.add(() -> answer(job("RUNNING", ",\"attempt\":1,\"progress\":{\"percent\":40,\"message\":\"disks\"}")));
        steps.add(() -> server.answering("/", 503, OddServer.JSON, "{\"code\":\"x\",\"detail\":\"Away.\"}"));
        steps.add(() -> answer(job("SUCCEEDED", ",\"attempt\":1")));

        var ended = follower().follow(QUEUED);

        assertThat(JobFollower.hasSucceeded(ended)).isTrue();
        assertThat(notes)
                .containsExactly(
                        "Job 7: QUEUED.",
                        "Job 7: RUNNING, attempt 1, 40%, disks.",
                        "Job 7: Away. Retrying.",
                        "Job 7: SUCCEEDED, attempt 1.");
    }

    @Test
    void anErrorIsReportedWithItsMessage() throws InterruptedException {
        steps.add(() -> answer(job("FAILED", ",\"attempt\":3,\"error_code\":\"QUOTA\",\"message\":\"Too small.\"")));

        assertThat(JobFollower.hasSucceeded(follower().follow(QUEUED))).isFalse();

        assertThat(notes).last().isEqualTo("Job 7: FAILED, attempt 3, QUOTA: Too small.");
    }

    @Test
    void aRefusalEndsTheWait() {
        steps.add(() -> server.answering("/", 404, OddServer.JSON, "{\"code\":\"not-found\",\"detail\":\"Gone.\"}"));

        assertThatThrownBy(() -> follower().follow(QUEUED))
                .isInstanceOf(CliException.class)
                .hasMessage("Gone.");
    }

    /** The service changes its answer when the one before was reported. */
    private JobFollower follower() {
        return new JobFollower(
                api,
                sentence -> {
                    notes.add(sentence);
                    if (!steps.isEmpty()) {
                        steps.remove().run();
                    }
                },
                SOON);
    }

    private void answer(String body) {
        server.answering("/", 200, OddServer.JSON, body);
    }

    private static String job(String status, String more) {
        return "{\"id\":\"7\",\"status\":\"%s\"%s}".formatted(status, more);
    }
}
