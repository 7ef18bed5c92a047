package io.holdfast.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.base.BodyFile;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.job.SubmitJobBody;
import io.holdfast.kernel.Text;
import io.holdfast.remote.StrictJson;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "submit",
        description = {
            "Submit a job for a cluster; 'holdfast work' runs it.",
            "Exit code 3 if the cluster's status, after its queue, does not allow it.",
        },
        footer = {
            "  holdfast clusters create api --id api --platform aws --base-domain a.example",
            "  holdfast jobs submit api CREATE --key first --params '{\"workers\": 3}'",
        })
final class JobsSubmit extends ApiCommand {
    private static final Duration FOLLOW_EVERY = Duration.ofSeconds(2);

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "The cluster's id")
    private String cluster;

    @Parameters(
            index = "1",
            paramLabel = "TYPE",
            completionCandidates = JobTypes.class,
            description = "CREATE, DESTROY or SCALE_WORKERS")
    private String type;

    @Option(names = "--params", paramLabel = "JSON", description = "A JSON object for the worker")
    private String params;

    @Option(names = "--params-file", paramLabel = "FILE", description = "A file with that object; - is stdin")
    private String paramsFile;

    @Option(names = "--key", paramLabel = "TEXT", description = "Makes it repeatable: the same key is the same job")
    private String key;

    @Option(names = "--deadline", paramLabel = "TIME", description = "Longest time of a run. Default: by type")
    private Duration deadline;

    @Option(names = "--follow", description = "Wait for its end; exit code 1 unless it succeeds")
    private boolean follow;

    @Override
    public Integer call() throws InterruptedException {
        var path = ApiClient.path("v1", "clusters", Text.name("CLUSTER", cluster), "jobs");
        var body = new SubmitJobBody(type, object(), key, deadline == null ? null : DurationText.wire(deadline));
        var job = api().post(path, body).orFail().body();
        if (!follow) {
            output().object(job);
            return Exit.DONE;
        }
        var ended = new JobFollower(api(), holdfast()::note, FOLLOW_EVERY).follow(job);
        output().object(ended);
        return JobFollower.hasSucceeded(ended) ? Exit.DONE : Exit.FAILED;
    }

    private JsonNode object() {
        if (params != null && paramsFile != null) {
            throw usageError("Give --params or --params-file, not both");
        }
        if (params == null && paramsFile == null) {
            return null;
        }
        var text = params == null ? BodyFile.object(paramsFile, environment()) : params;
        return new StrictJson().object(text).orElseThrow(() -> usageError("--params must be one JSON object"));
    }
}
