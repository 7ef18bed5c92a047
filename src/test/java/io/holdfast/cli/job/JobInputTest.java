package io.holdfast.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.OddServer;
import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the options of clusters and jobs become. */
class JobInputTest {
    private final OddServer server = new OddServer()
            .answering("/v1/", 201, OddServer.JSON, "{\"id\":\"7\",\"status\":\"QUEUED\"}")
            .answering("/v1/jobs/7", 200, OddServer.JSON, "{\"id\":\"7\",\"status\":\"FAILED\"}");

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aClusterHasLabelsAndATtl() {
        run("", "clusters create web --platform aws --base-domain a.example --ttl 72h --label a=b --label c=d");

        assertThat(sent("/v1/clusters"))
                .isEqualTo("{\"name\":\"web\",\"platform\":\"aws\",\"base_domain\":\"a.example\","
                        + "\"ttl\":\"259200000ms\",\"labels\":{\"a\":\"b\",\"c\":\"d\"}}");
    }

    @Test
    void whatIsNotGivenIsNotSent() {
        run("", "jobs submit web CREATE");

        assertThat(sent("/v1/clusters/web/jobs")).isEqualTo("{\"type\":\"CREATE\"}");
    }

    @Test
    void paramsComeFromAnOptionAFileOrStdin(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("params"), "{\n  \"b\": 2}\n");

        run("", "jobs submit web CREATE --key k --deadline 1h30m --params {\"a\":1}");
        run("", "jobs submit web CREATE --params-file " + file);
        run("{\"c\": 3}", "jobs submit web CREATE --params-file -");

        assertThat(server.asked())
                .extracting(OddServer.Asked::body)
                .containsExactly(
                        "{\"type\":\"CREATE\",\"params\":{\"a\":1},\"idempotency_key\":\"k\",\"deadline\":\"5400000ms\"}",
                        "{\"type\":\"CREATE\",\"params\":{\"b\":2}}",
                        "{\"type\":\"CREATE\",\"params\":{\"c\":3}}");
    }

    @Test
    void paramsThatAreNoObjectAreRefused() {
        assertThat(CliCalls.refused(Exit.USAGE, run("", "jobs submit web CREATE --params [1]")))
                .contains("--params must be one JSON object");
        assertThat(CliCalls.refused(Exit.USAGE, run("", "jobs submit web CREATE --params {} --params-file -")))
                .contains("not both");
        assertThat(CliCalls.refused(Exit.USAGE, run("[", "jobs submit web CREATE --params-file -")))
                .contains("The input on stdin is not one JSON object.");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void aBlankReasonIsRefused() {
        for (var command : new String[] {"cancel", "retry"}) {
            var words = new String[] {"jobs", command, "7", "--reason", " "};
            assertThat(CliCalls.refused(Exit.USAGE, shell().run(environment(), "", words)))
                    .contains("--reason must not be blank");
        }
    }

    @Test
    void filtersAreSentOnlyIfTheyAreGiven() {
        run("", "jobs list --status DEAD --type CREATE --cluster web --limit 5");
        run("", "clusters list --prefix we");

        assertThat(server.asked())
                .extracting(OddServer.Asked::target)
                .containsExactly(
                        "/v1/jobs?status=DEAD&type=CREATE&cluster=web&limit=5", "/v1/clusters?prefix=we&limit=500");
    }

    @Test
    void aFollowedJobThatFailsIsAFailure() {
        var result = run("", "jobs submit web CREATE --follow -o json");

        assertThat(result.exit()).isEqualTo(Exit.FAILED);
        assertThat(CliCalls.parsed(result.out()).path("status").asText()).isEqualTo("FAILED");
        assertThat(result.err()).isEqualTo("holdfast: Job 7: QUEUED.\nholdfast: Job 7: FAILED.\n");
    }

    private String sent(String path) {
        return server.asked().stream()
                .filter(asked -> asked.target().equals(path))
                .map(OddServer.Asked::body)
                .findFirst()
                .orElseThrow();
    }

    private Shell.Result run(String input, String words) {
        return shell().run(environment(), input, words.split(" "));
    }

    private static Shell shell() {
        return new ShellInProcess(CliEnvironment.Terminals.NONE);
    }

    private Map<String, String> environment() {
        return Map.of("HOLDFAST_URL", server.url());
    }
}
