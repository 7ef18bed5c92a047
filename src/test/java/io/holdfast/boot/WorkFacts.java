package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What {@code holdfast work} does with jobs, handlers and signals; each a real process. Each fact has clusters of its own. */
final class WorkFacts extends ExecCalls {
    private static final String TYPES = "CREATE,DESTROY,SCALE_WORKERS";

    /** Workers of this fact ask for clusters with it. */
    private final String label = UUID.randomUUID().toString();

    WorkFacts(PackagedProgram program, ProgramCalls calls, Path folder) {
        super(program, calls, folder);
    }

    @Test
    void theExitCodeOfTheHandlerDecidesHowTheJobEnds() {
        var done = submitted("done");
        var again = submitted("again");
        var failed = submitted("failed");
        try (var work = work("case $HOLDFAST_CLUSTER in done-*) exit 0;; again-*) exit 75;; esac; exit 3")) {
            awaitUntil(() -> status(done, "SUCCEEDED") && status(again, "WAITING") && status(failed, "FAILED"));

            assertThat(job(again).at("/runs/0/error_code").asText()).isEqualTo("EXIT_75");
            assertThat(job(again).path("next_attempt_at").asText()).isNotEmpty();
            assertThat(job(failed).path("error_code").asText()).isEqualTo("EXIT_3");
            assertThat(clusterStatus(done)).isEqualTo("READY");
            assertThat(clusterStatus(again)).isEqualTo("CREATING");
            assertThat(clusterStatus(failed)).isEqualTo("FAILED");
            assertThat(work.process().isAlive()).isTrue();
        }
    }

    @Test
    void progressIsSeenByJobsShow() throws IOException {
        var done = folder.resolve("done");
        var job = submitted("progress");
        try (var work = work(
                "--once",
                "echo holdfast: progress 40 copying images; while [ ! -e %s ]; do sleep 0.05; done".formatted(done))) {
            awaitUntil(() -> shown(job).contains("percent=40 message=copying images"));

            Files.createFile(done);

            assertThat(work.awaitExit()).as(work.err()).isZero();
            assertThat(work.out()).isEmpty();
        }
    }

    @Test
    void aCancelledJobIsStopped() {
        var ready = folder.resolve("ready");
        var job = submitted("cancelled");
        try (var work = work("--once", "--heartbeat-every", "100ms", untilTerm(ready))) {
            awaitUntil(() -> Files.exists(ready));

            try (var cancel = PackagedCommand.start(environment(), "jobs", "cancel", job, "--reason", "wrong region")) {
                assertThat(cancel.awaitExit()).as(cancel.err()).isZero();
            }

            assertThat(work.awaitExit()).isEqualTo(1);
            assertThat(folder.resolve("terminated")).exists();
            assertThat(job(job).path("status").asText()).isEqualTo("CANCELLED");
        }
    }

    @Test
    void aWorkerThatIsToldToStopLetsItsHandlerEnd() throws IOException {
        var ready = folder.resolve("ready");
        var done = folder.resolve("done");
        var job = submitted("ends");
        try (var work = work("--stop-grace", "4m", until(ready, done))) {
            awaitUntil(() -> Files.exists(ready));

            signal(work, "TERM");
            awaitUntil(() -> work.err().contains("The worker stops when the handler has ended"));
            var next = submitted("next");
            Files.createFile(done);

            assertThat(work.awaitExit()).as(work.err()).isZero();
            assertThat(job(job).path("status").asText()).isEqualTo("SUCCEEDED");
            assertThat(job(next).path("status").asText()).isEqualTo("QUEUED");
        }
    }

    @Test
    void aHandlerThatRunsOnIsStoppedAndItsJobIsTriedAgain() throws IOException {
        var ready = folder.resolve("ready");
        var job = submitted("runs-on");
        try (var work = work("--stop-grace", "1s", untilTerm(ready))) {
            awaitUntil(() -> Files.exists(ready));

            signal(work, "TERM");

            assertThat(work.awaitExit()).as(work.err()).isZero();
            assertThat(folder.resolve("terminated")).exists();
            assertThat(job(job).path("status").asText()).isEqualTo("WAITING");
            assertThat(job(job).at("/runs/0/error_code").asText()).isEqualTo("WORKER_STOPPED");
        }
    }

    @Test
    void theSecondSignalKillsTheHandler() throws IOException {
        var ready = folder.resolve("ready");
        var job = submitted("killed");
        try (var work =
                work("--stop-grace", "4m", "trap '' TERM; touch %s; while :; do sleep 0.05; done".formatted(ready))) {
            awaitUntil(() -> Files.exists(ready));
            var handler = work.process().descendants().toList();

            signal(work, "TERM");
            awaitUntil(() -> work.err().contains("The worker stops when the handler has ended"));
            signal(work, "TERM");

            assertThat(work.awaitExit()).isEqualTo(143);
            awaitUntil(() -> handler.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(job(job).path("status").asText()).isEqualTo("WAITING");
        }
    }

    /** Its open request is cancelled, so no job is granted to it afterwards. */
    @Test
    void anIdleWorkerStopsAndTakesNoJobWithIt() throws IOException {
        try (var work = work("exit 0")) {
            awaitReadyToClaim(work);

            signal(work, "TERM");

            assertThat(work.awaitExit()).as(work.err()).isZero();
            var job = submitted("late");
            assertThat(job(job).path("status").asText()).isEqualTo("QUEUED");
        }
    }

    /** It has run a job, so it waits for the next one. */
    private void awaitReadyToClaim(PackagedCommand work) {
        var job = submitted("first");
        awaitUntil(() -> status(job, "SUCCEEDED"));
        awaitUntil(() -> work.err().contains("Succeeded."));
    }

    /** A handler that finds another one of its cluster at work fails. */
    @Test
    void manyWorkersNeverRunTwoJobsOfOneCluster() {
        var jobs = new ArrayList<String>();
        for (var name : List.of("a", "b", "c")) {
            var cluster = created(name);
            jobs.add(submit(cluster, "CREATE"));
            for (var i = 0; i < 5; i++) {
                jobs.add(submit(cluster, "SCALE_WORKERS"));
            }
        }
        var handler =
                """
                mkdir "%s/$HOLDFAST_CLUSTER" || exit 9; sleep 0.05; rmdir "%s/$HOLDFAST_CLUSTER\""""
                        .replace("%s", folder.toString());
        try (var one = work("--parallel", "3", handler);
                var other = work("--parallel", "2", handler)) {
            awaitUntil(() -> jobs.stream().allMatch(job -> status(job, "SUCCEEDED") || status(job, "FAILED")));

            assertThat(jobs).as(one.err() + other.err()).allMatch(job -> status(job, "SUCCEEDED"));
        }
    }

    @Test
    void aServiceThatIsKilledMeanwhileIsReportedToAfterItsReturn() throws IOException {
        var ready = folder.resolve("ready");
        var done = folder.resolve("done");
        var data = PackagedProgram.newDataFolder().toString();
        try (var first = PackagedProgram.start(Map.of("HOLDFAST_DATA_DIR", data))) {
            var port = Integer.toString(first.address().getPort());
            String job;
            try (var asking = new ProgramCalls(first.address())) {
                job = submit(asking, created(asking, "away"), "CREATE");
            }
            try (var work = work(Map.of("HOLDFAST_URL", first.address().toString()), until(ready, done))) {
                awaitUntil(() -> Files.exists(ready));
                first.kill9();
                first.awaitExit();
                Files.createFile(done);
                try (var second = PackagedProgram.start(Map.of("HOLDFAST_DATA_DIR", data, "QUARKUS_HTTP_PORT", port));
                        var asking = new ProgramCalls(second.address())) {
                    awaitUntil(
                            () -> asking.get("/v1/jobs/" + job).text("status").equals("SUCCEEDED"));

                    assertThat(work.process().isAlive()).isTrue();
                }
            }
        }
    }

    /** Its lease expires, and the janitor gives the job to the next worker. */
    @Test
    void killNineOfAWorkerLetsAnotherOneTryAgain() throws IOException {
        var ready = folder.resolve("ready");
        var environment = Map.of(
                "HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString(),
                "HOLDFAST_JOBS_LEASE", "5s",
                "HOLDFAST_JOBS_HEARTBEAT_EVERY", "1s",
                "HOLDFAST_JOBS_RETRY_DELAY", "0s",
                "HOLDFAST_JOBS_ATTEMPTS_MAX", "20",
                "HOLDFAST_JOBS_JANITOR_EVERY", "1s",
                "HOLDFAST_JOBS_JANITOR_FIRST_AFTER", "0s",
                "HOLDFAST_JOBS_JANITOR_RESCUE_AFTER", "0s");
        try (var service = PackagedProgram.start(environment);
                var asking = new ProgramCalls(service.address())) {
            var url = Map.of("HOLDFAST_URL", service.address().toString());
            var job = submit(asking, created(asking, "crash"), "CREATE");
            List<ProcessHandle> orphans;
            try (var first = work(url, "touch %s; exec sleep 1000".formatted(ready))) {
                awaitUntil(() -> Files.exists(ready));
                orphans = first.process().descendants().toList();
                first.process().destroyForcibly();
            }
            try (var second = work(url, "exit 0")) {
                awaitUntil(() -> asking.get("/v1/jobs/" + job).text("status").equals("SUCCEEDED"));

                var runs = asking.get("/v1/jobs/" + job).body().path("runs");
                assertThat(runs.get(0).path("error_code").asText()).isEqualTo("WORKER_TIMEOUT");
                assertThat(runs).hasSizeGreaterThan(1);
                assertThat(second.process().isAlive()).isTrue();
            } finally {
                orphans.forEach(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** @param words options, and a script as the handler */
    private PackagedCommand work(String... words) {
        return work(environment(), words);
    }

    private PackagedCommand work(Map<String, String> environment, String... words) {
        var all = new ArrayList<>(List.of("work", "--type", TYPES, "--label", "fact=" + label));
        all.addAll(Arrays.asList(words).subList(0, words.length - 1));
        all.addAll(List.of("--", "sh", "-c", words[words.length - 1]));
        return PackagedCommand.start(environment, all.toArray(String[]::new));
    }

    /** For a shell: waits for SIGTERM, and says that it came. */
    private String untilTerm(Path ready) {
        return "trap 'touch %s; exit 1' TERM; touch %s; while :; do sleep 0.05; done"
                .formatted(folder.resolve("terminated"), ready);
    }

    /** @return a CREATE job of a new cluster */
    private String submitted(String name) {
        return submit(created(name), "CREATE");
    }

    private String created(String name) {
        return created(calls, name);
    }

    private String created(ProgramCalls at, String name) {
        var id = name + "-" + label;
        var body = Map.of(
                "id", id, "name", id, "platform", "aws", "base_domain", "a.example", "labels", Map.of("fact", label));
        assertThat(at.post("/v1/clusters", body).status()).isEqualTo(201);
        return id;
    }

    private String submit(String cluster, String type) {
        return submit(calls, cluster, type);
    }

    private static String submit(ProgramCalls at, String cluster, String type) {
        var answer = at.post("/v1/clusters/" + cluster + "/jobs", Map.of("type", type));
        assertThat(answer.status()).isEqualTo(201);
        return answer.text("id");
    }

    private JsonNode job(String id) {
        return calls.get("/v1/jobs/" + id).body();
    }

    private boolean status(String job, String status) {
        return job(job).path("status").asText().equals(status);
    }

    private String clusterStatus(String job) {
        return calls.get("/v1/clusters/" + job(job).path("cluster").asText()).text("status");
    }

    private String shown(String job) {
        try (var show = PackagedCommand.start(environment(), "jobs", "show", job)) {
            show.awaitExit();
            return show.out();
        }
    }
}
