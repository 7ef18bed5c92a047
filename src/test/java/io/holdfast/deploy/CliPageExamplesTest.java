package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/cli.md shows to copy is well-formed, and says what it has to. */
class CliPageExamplesTest {
    private static List<JsonNode> documents() throws IOException {
        return Pattern.compile("(?s)```yaml\\n(.*?)```")
                .matcher(Files.readString(Path.of("docs/cli.md")))
                .results()
                .map(block -> Yaml.document(block.group(1)))
                .toList();
    }

    @Test
    void theJobTakesALockAndHasTheTimeToGiveItBack() throws IOException {
        var jobs = documents().stream().filter(one -> one.has("kind")).toList();

        assertThat(jobs).hasSize(1);
        var job = jobs.getFirst();
        assertThat(job.path("apiVersion").asText() + " " + job.path("kind").asText())
                .isEqualTo("batch/v1 Job");
        assertThat(job.path("spec").fieldNames()).toIterable().containsExactly("backoffLimit", "template");
        var pod = ((Pod) Manifest.parse(podOf(job))).getSpec();
        var command = pod.getContainers().getFirst().getCommand();
        assertThat(command).startsWith("holdfast", "exec", "--lock").endsWith("--");
        var grace = command.get(command.indexOf("--grace") + 1).replace("s", "");
        assertThat(pod.getTerminationGracePeriodSeconds()).isGreaterThan(Long.parseLong(grace));
        assertThat(pod.getRestartPolicy()).isEqualTo("Never");
        assertThat(pod.getContainers().getFirst().getEnv())
                .extracting("name")
                .containsExactly("HOLDFAST_URL", "HOLDFAST_OWNER");
    }

    /** The types of jobs are not among those that we have; a job's template makes pods, and those are. */
    private static JsonNode podOf(JsonNode job) {
        var pod = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Pod");
        pod.set("metadata", job.path("metadata"));
        pod.set("spec", job.path("spec").path("template").path("spec"));
        return pod;
    }

    @Test
    void theWorkflowNamesAnOwnerOfEachAttempt() throws IOException {
        var workflows = documents().stream().filter(one -> one.has("jobs")).toList();

        assertThat(workflows).hasSize(1);
        assertThat(workflows.getFirst().findPath("HOLDFAST_OWNER").asText()).contains("run_id", "run_attempt");
        assertThat(workflows.getFirst().findValuesAsText("run"))
                .last()
                .asString()
                .contains(" exec --lock ");
    }
}
