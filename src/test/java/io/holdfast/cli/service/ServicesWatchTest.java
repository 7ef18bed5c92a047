package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.CommandInProcess;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The moves of a stream that breaks, and is resumed. */
@Slow
class ServicesWatchTest {
    private FakeEvents events;

    @BeforeEach
    void serve() throws IOException {
        events = new FakeEvents();
    }

    @AfterEach
    void stop() {
        events.close();
    }

    @Test
    void eachMoveIsALine() throws Exception {
        var watch = watch("");
        var stream = events.opened().accept("1-0-0-0");
        stream.move("2-0-0-0", "web", "DEPLOYING").move("3-0-0-0", "web", "");

        await().until(() -> watch.out().lines().count() == 3);
        watch.terminate();

        assertThat(watch.awaitExit()).isZero();
        assertThat(watch.out().lines())
                .satisfiesExactly(
                        heading -> assertThat(heading).startsWith("AT "),
                        move -> assertThat(move).matches("2026-11-18T09:00:00.000Z +web +IDLE +DEPLOYING +api +7 +.*"),
                        removal -> assertThat(removal).matches("2026-11-18T09:00:00.000Z +web +IDLE +- +api +7 +.*"));
        assertThat(watch.err()).isEqualTo("holdfast: Watching services from now on; Ctrl-C ends it.\n");
    }

    @Test
    void inJsonEachMoveIsADocument() throws Exception {
        var watch = watch("-o json");
        events.opened().accept("1-0-0-0").move("2-0-0-0", "web", "DEPLOYING").move("3-0-0-0", "api", "STOPPED");

        await().until(() -> watch.out().lines().count() == 2);
        watch.terminate();

        assertThat(watch.awaitExit()).isZero();
        assertThat(watch.out()
                        .lines()
                        .map(line -> CliCalls.parsed(line).path("to").asText()))
                .containsExactly("DEPLOYING", "STOPPED");
    }

    @Test
    void aStreamThatEndsIsResumedAfterTheLastMove() throws Exception {
        var watch = watch("-o json");
        var first = events.opened();
        assertThat(first.lastEventId()).isNull();
        first.accept("1-0-0-0").move("2-0-0-0", "web", "DEPLOYING");
        await().until(() -> watch.out().lines().count() == 1);
        // The end of this event does not arrive.
        first.say("id: 3-0-0-0\nevent: changed\ndata: {\"service\":\"lost\"}\n").end();

        var second = events.opened();
        assertThat(second.lastEventId()).isEqualTo("2-0-0-0");
        second.accept("2-0-0-0").move("3-0-0-0", "web", "RUNNING").say(": keep-alive\nid: 3-9-0-0\n\n");
        second.move("3-9-1-0", "web", "STOPPED");
        await().until(() -> watch.out().lines().count() == 3);
        second.say(": keep-alive\nid: 3-9-2-0\n\n").end();

        assertThat(events.opened().lastEventId()).isIn("3-9-1-0", "3-9-2-0");
        watch.terminate();
        assertThat(watch.awaitExit()).isZero();
        assertThat(watch.out()
                        .lines()
                        .map(line -> CliCalls.parsed(line).path("to").asText()))
                .containsExactly("DEPLOYING", "RUNNING", "STOPPED");
        assertThat(watch.err().lines()).hasSize(1);
    }

    @Test
    void afterAGapTheUserIsTold() throws Exception {
        var watch = watch("");
        events.opened()
                .accept("1-0-0-0")
                .say("event: missed\ndata: {\"detail\":\"Old.\"}\n\n")
                .move("9-0-0-0", "web", "RUNNING");

        await().until(() -> watch.out().contains("RUNNING"));
        watch.terminate();

        assertThat(watch.awaitExit()).isZero();
        assertThat(watch.err()).contains("holdfast: Moves were missed: those before this point are no longer stored.");
    }

    @Test
    void onlyTheNamedServiceIsShown() throws Exception {
        var watch = watch("web -o json");
        var stream = events.opened();
        assertThat(stream.query()).isEqualTo("prefix=web");
        stream.accept("1-0-0-0").move("2-0-0-0", "web-2", "DEPLOYING").move("3-0-0-0", "web", "STOPPED");

        await().until(() -> !watch.out().isEmpty());
        watch.terminate();

        assertThat(watch.awaitExit()).isZero();
        assertThat(watch.out().lines()).singleElement().asString().contains("\"service\":\"web\"");
    }

    @Test
    void theFirstConnectionMustSucceed() throws Exception {
        var watch = watch("");
        events.opened().refuse(503, "store-unavailable");

        assertThat(watch.awaitExit()).isEqualTo(4);
        assertThat(watch.err()).isEqualTo("holdfast: Refused.\n");
    }

    @Test
    void anOutageIsToldOnceAndSurvived() throws Exception {
        var watch = watch("");
        events.opened().accept("1-0-0-0").end();
        events.opened().refuse(503, "store-unavailable");
        events.opened().refuse(429, "queue-full");
        events.opened().accept("1-0-0-0").move("2-0-0-0", "web", "RUNNING");

        await().until(() -> watch.out().contains("RUNNING"));
        watch.terminate();

        assertThat(watch.awaitExit()).isZero();
        assertThat(watch.err().lines())
                .containsExactly(
                        "holdfast: Watching services from now on; Ctrl-C ends it.",
                        "holdfast: Refused. Retrying.",
                        "holdfast: %s answers again.".formatted(events.url()));
    }

    @Test
    void aResumptionThatIsRefusedForGoodEndsIt() throws Exception {
        var watch = watch("");
        events.opened().accept("1-0-0-0").end();
        events.opened().refuse(400, "invalid-input");

        assertThat(watch.awaitExit()).isEqualTo(2);
    }

    @Test
    void itEndsAfterItsTime() throws Exception {
        var watch = watch("--for 100ms");
        events.opened().accept("1-0-0-0");

        assertThat(watch.awaitExit()).isZero();
        assertThat(watch.out()).isEmpty();
    }

    private CommandInProcess watch(String options) {
        var words = new ArrayList<>(List.of("services", "watch"));
        if (!options.isEmpty()) {
            words.addAll(List.of(options.split(" ")));
        }
        return new CommandInProcess(events.url(), words);
    }
}
