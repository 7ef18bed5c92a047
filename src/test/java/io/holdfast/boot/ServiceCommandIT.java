package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deployments and their events, while the service is killed or the command gets a signal; each a real process. */
class ServiceCommandIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TERMINATED = 143;

    @TempDir
    private Path folder;

    private final String data = PackagedProgram.newDataFolder().toString();
    private PackagedProgram program;
    private String port;

    @BeforeAll
    static void prepare() {
        PackagedCommand.commandLine();
    }

    @BeforeEach
    void serve() {
        program = PackagedProgram.start(Map.of("HOLDFAST_DATA_DIR", data));
        port = Integer.toString(program.address().getPort());
        put("/v1/services/web", Map.of());
    }

    @AfterEach
    void stop() {
        program.close();
    }

    @Test
    void aServiceThatIsKilledMeanwhileIsReportedToAfterItsReturn() throws IOException {
        try (var deploy = deploy(
                "touch %s; while [ ! -e %s ]; do sleep 0.05; done; exit 7".formatted(file("ready"), file("done")))) {
            await().until(() -> Files.exists(file("ready")));
            program.kill9();
            program.awaitExit();
            Files.createFile(file("done"));
            await().until(() -> deploy.err().contains("Retrying."));

            restart();

            assertThat(deploy.awaitExit()).as(deploy.err()).isEqualTo(7);
            assertThat(deploy.err()).endsWith("Service 'web' is FAILED: The command ended with exit code 7.\n");
        }
        assertThat(statuses()).containsExactly("FAILED", "DEPLOYING", "IDLE");
    }

    @Test
    void sigtermEndsTheCommandAndTheDeploymentIsRolledBack() throws IOException {
        try (var deploy = deploy(
                "touch %s; while :; do sleep 0.05; done".formatted(file("ready")),
                "--rollback-command",
                "touch " + file("back"))) {
            await().until(() -> Files.exists(file("ready")));

            ExecCalls.signal(deploy, "TERM");

            assertThat(deploy.awaitExit()).as(deploy.err()).isEqualTo(TERMINATED);
        }
        assertThat(file("back")).exists();
        var move = moves().getFirst();
        assertThat(move.path("to").asText()).isEqualTo("RUNNING");
        assertThat(move.path("rolled_back").asBoolean()).isTrue();
        assertThat(move.path("reason").asText()).isEqualTo("The command ended with exit code 143.");
    }

    @Test
    void theSecondSigtermKillsTheCommandAndItsChildren() throws IOException {
        try (var deploy = deploy("trap 'touch %s' TERM; touch %s; while :; do sleep 0.05; done"
                .formatted(file("term"), file("ready")))) {
            await().until(() -> Files.exists(file("ready")));
            var children = deploy.process().descendants().toList();
            ExecCalls.signal(deploy, "TERM");
            await().until(() -> Files.exists(file("term")));

            ExecCalls.signal(deploy, "TERM");

            assertThat(deploy.awaitExit()).as(deploy.err()).isEqualTo(TERMINATED);
            await().until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
        assertThat(statuses()).containsExactly("FAILED", "DEPLOYING", "IDLE");
    }

    /** The oracle is the history: every move after the first one that was printed. */
    @Test
    void aWatchMissesNoMoveWhenTheServiceIsKilled() throws IOException {
        try (var watch = PackagedCommand.start(environment(), "services", "watch", "web", "-o", "json")) {
            await().until(() -> watch.err().contains("Watching"));
            move("DEPLOYING");
            move("STOPPED");
            program.kill9();
            program.awaitExit();
            restart();
            // The watch may not have reconnected yet.
            move("DEPLOYING");
            move("RUNNING");
            await().until(() -> watch.out().lines().count() >= 4);

            ExecCalls.signal(watch, "INT");

            assertThat(watch.awaitExit()).as(watch.err()).isZero();
            assertThat(watch.out().lines().map(line -> parsed(line).path("to").asText()))
                    .containsExactly("DEPLOYING", "STOPPED", "DEPLOYING", "RUNNING");
        }
        assertThat(statuses()).containsExactly("RUNNING", "DEPLOYING", "STOPPED", "DEPLOYING", "IDLE");
    }

    private void restart() {
        program = PackagedProgram.start(Map.of("HOLDFAST_DATA_DIR", data, "QUARKUS_HTTP_PORT", port));
    }

    private Map<String, String> environment() {
        return Map.of("HOLDFAST_URL", "http://127.0.0.1:" + port);
    }

    private PackagedCommand deploy(String script, String... options) {
        var words = new ArrayList<>(List.of("services", "deploy", "web"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script));
        return PackagedCommand.start(environment(), words.toArray(String[]::new));
    }

    private void move(String status) {
        put("/v1/services/web/status", Map.of("status", status));
    }

    private void put(String path, Map<String, String> body) {
        try (var calls = new ProgramCalls(program.address())) {
            assertThat(calls.put(path, body).status()).isIn(200, 201);
        }
    }

    /** The newest first. */
    private List<JsonNode> moves() {
        try (var calls = new ProgramCalls(program.address())) {
            var moves = calls.get("/v1/services/web/history").body().path("moves");
            return StreamSupport.stream(moves.spliterator(), false).toList();
        }
    }

    private List<String> statuses() {
        return moves().stream().map(move -> move.path("to").asText()).toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }

    private Path file(String name) {
        return folder.resolve(name);
    }
}
