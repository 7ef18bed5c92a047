package io.holdfast.cli.work;

import static io.holdfast.cli.work.FakeJobService.NOTHING_TO_DO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.CommandInProcess;
import io.holdfast.cli.output.Exit;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The token of a worker expires, and is replaced late. */
@Slow
class WorkTokenTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration OFTEN = Duration.ofMillis(100);

    @TempDir
    Path folder;

    private FakeJobService service;
    private Path tokenFile;

    @BeforeEach
    void serve() throws IOException {
        tokenFile = Files.writeString(folder.resolve("token"), "first");
        service = new FakeJobService().accept("first");
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void aRunGoesOnUntilItsHeartbeatsAreAcceptedAgain() throws Exception {
        service.answering("claim", job(LONG, OFTEN));
        var work = start("--once --heartbeat-every 100ms");
        service.asked("heartbeat");

        service.accept("second");
        await().until(() -> service.refused() >= 2);
        Files.writeString(tokenFile, "second");
        await().until(() -> {
            service.asked("heartbeat");
            return work.err().contains(" answers again");
        });
        Files.createFile(folder.resolve("finish"));

        assertThat(work.awaitExit()).as(work.err()).isZero();
        service.asked("complete");
    }

    @Test
    void aReportIsRepeatedWithTheNextToken() throws Exception {
        service.answering("claim", job(LONG, LONG));
        var work = start("--once");
        service.asked("claim");

        service.accept("second");
        Files.createFile(folder.resolve("finish"));
        await().until(() -> service.refused() >= 2);
        Files.writeString(tokenFile, "second");

        assertThat(work.awaitExit()).as(work.err()).isZero();
        service.asked("complete");
    }

    @Test
    void aWorkerWithoutAJobWaitsForTheNextToken() throws Exception {
        service.answering("claim", NOTHING_TO_DO);
        var work = start("--once");
        service.asked("claim");

        service.accept("second");
        await().until(() -> service.refused() >= 2);
        service.answering("claim", job(LONG, LONG));
        Files.createFile(folder.resolve("finish"));
        Files.writeString(tokenFile, "second");

        assertThat(work.awaitExit()).as(work.err()).isZero();
        assertThat(work.err())
                .contains("This request needs a valid token. The token is that of HOLDFAST_TOKEN_FILE")
                .contains(" answers again.");
    }

    @Test
    void aWorkerWhoseFirstTokenIsRefusedEnds() throws Exception {
        service.accept("second");

        assertThat(start("").awaitExit()).isEqualTo(Exit.UNAUTHENTICATED);
        assertThat(service.refused()).isEqualTo(1);
    }

    /** A job of its own: a worker ends all processes of its job, also those that a test in another JVM has started. */
    private static FakeJobService.Reply job(Duration lease, Duration heartbeatEvery) {
        return new FakeJobService.Reply(200, FakeClaims.json("1794844288995-70c3", lease, heartbeatEvery));
    }

    private CommandInProcess start(String options) {
        var script = "while ! test -e '%s/finish'; do sleep 0.05; done".formatted(folder);
        return WorkInProcess.start(
                service, Map.of("HOLDFAST_TOKEN_FILE", tokenFile.toString()), options, List.of("sh", "-c", script));
    }
}
