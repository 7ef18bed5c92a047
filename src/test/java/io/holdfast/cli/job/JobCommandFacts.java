package io.holdfast.cli.job;

import static io.holdfast.cli.CliCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clusters, their jobs, and a worker that runs one. */
public interface JobCommandFacts extends CliCalls {
    @Test
    default void aClusterIsCreatedListedAndShown() {
        var id = unique("web");

        assertThat(create(id, "--ttl", "72h", "--label", "region=eu"))
                .containsPattern("(?m)^status +PENDING$")
                .containsPattern("(?m)^labels +region=eu$")
                .containsPattern("(?m)^ttl +3d00h$");
        assertThat(good("clusters", "list", "--prefix", id, "--status", "PENDING"))
                .startsWith("ID ")
                .containsPattern("(?m)^" + id + " +" + id + " +PENDING +aws +a.example ");
        assertThat(good("clusters", "list", "--prefix", id, "--status", "READY"))
                .isEmpty();
        assertThat(json("clusters", "show", id).path("base_domain").asText()).isEqualTo("a.example");
    }

    @Test
    default void aClusterThatExistsIsTheSameOrRefused() {
        var id = unique("web");
        create(id);

        assertThat(create(id)).containsPattern("(?m)^id +" + id + "$");
        assertThat(refused(3, "clusters", "create", id, "--platform", "aws", "--base-domain", "a.example"))
                .contains(id);
        assertThat(refused(1, "clusters", "show", unique("none"))).contains("There is no cluster");
        assertThat(refused(2, "clusters", "list", "--status", "BROKEN")).contains("status must be one of");
    }

    @Test
    default void aJobIsSubmittedListedShownAndCancelled() {
        var cluster = unique("web");
        create(cluster);

        var job = submit(cluster, "--params", "{\"workers\": 3}");

        assertThat(good("jobs", "list", "--cluster", cluster))
                .startsWith("JOB ")
                .containsPattern("(?m)^" + job + " +CREATE +QUEUED +" + cluster + " ");
        assertThat(good("jobs", "list", "--cluster", cluster, "--status", "DEAD"))
                .isEmpty();
        assertThat(json("jobs", "show", job).at("/params/workers").asInt()).isEqualTo(3);
        assertThat(good("clusters", "show", cluster))
                .containsPattern("(?m)^queue +id=" + job + " type=CREATE status=QUEUED attempt=0$");

        assertThat(good("jobs", "cancel", job, "--reason", "not needed"))
                .containsPattern("(?m)^status +CANCELLED$")
                .containsPattern("(?m)^cancel_reason +not needed$");
        assertThat(refused(3, "jobs", "cancel", job, "--reason", "again")).contains("CANCELLED");
        assertThat(refused(3, "jobs", "retry", job, "--reason", "again")).contains("only a DEAD job");
    }

    @Test
    default void aJobThatTheClusterDoesNotAllowIsRefused() {
        var cluster = unique("web");
        create(cluster);

        assertThat(refused(3, "jobs", "submit", cluster, "DESTROY")).contains("PENDING");
        assertThat(refused(2, "jobs", "submit", cluster, "PAINT")).contains("type must be one of");
        assertThat(refused(1, "jobs", "submit", unique("none"), "CREATE")).contains("There is no cluster");
        assertThat(refused(1, "jobs", "show", unique("none"))).contains("There is no job");
    }

    @Test
    default void aKeyMakesASubmissionRepeatable() {
        var cluster = unique("web");
        create(cluster);

        var job = submit(cluster, "--key", "ci-42");

        assertThat(submit(cluster, "--key", "ci-42")).isEqualTo(job);
        assertThat(refused(3, "jobs", "submit", cluster, "CREATE", "--key", "ci-42", "--params", "{\"a\": 1}"))
                .contains("idempotency_key");
    }

    @Test
    default void aWorkerRunsOneJob() {
        var cluster = unique("web");
        create(cluster, "--label", "fact=" + cluster);
        var job = submit(cluster);

        var result = holdfast(
                "work",
                "--type",
                "CREATE",
                "--label",
                "fact=" + cluster,
                "--once",
                "--",
                "sh",
                "-c",
                "echo \"$HOLDFAST_CLUSTER\"; echo 'holdfast: result {\"nodes\": 3}'");

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo(cluster + "\n");
        assertThat(result.err())
                .isEqualTo("holdfast: Job %s: CREATE of cluster %s, attempt 1.\nholdfast: Job %s: Succeeded.\n"
                        .formatted(job, cluster, job));
        var ended = json("jobs", "show", job);
        assertThat(ended.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(ended.at("/result/nodes").asInt()).isEqualTo(3);
        assertThat(json("clusters", "show", cluster).path("status").asText()).isEqualTo("READY");
    }

    @Test
    default void aWorkerWhoseJobFailsIsAFailure() {
        var cluster = unique("web");
        create(cluster, "--label", "fact=" + cluster);
        var job = submit(cluster);

        var result = holdfast(
                "work", "--type", "CREATE", "--label", "fact=" + cluster, "--once", "--", "sh", "-c", "exit 9");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(good("jobs", "show", job))
                .containsPattern("(?m)^status +FAILED$")
                .containsPattern("(?m)^error_code +EXIT_9$");
    }

    private String create(String id, String... more) {
        var words = new ArrayList<>(
                List.of("clusters", "create", id, "--id", id, "--platform", "aws", "--base-domain", "a.example"));
        words.addAll(List.of(more));
        return good(words.toArray(String[]::new));
    }

    private String submit(String cluster, String... more) {
        var words = new ArrayList<>(List.of("jobs", "submit", cluster, "CREATE"));
        words.addAll(List.of(more));
        return json(words.toArray(String[]::new)).path("id").asText();
    }
}
