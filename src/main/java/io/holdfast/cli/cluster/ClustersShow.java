package io.holdfast.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import io.holdfast.kernel.Text;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show a cluster: its status, the job that runs, and its queue.",
        footer = {
            "  holdfast clusters create web --id web --platform aws --base-domain a.example",
            "  holdfast clusters show web",
        })
final class ClustersShow extends ApiCommand {
    private static final String RUNNING = "running";
    private static final String QUEUE = "queue";

    /** The fields of a job that are shown with its cluster; {@code jobs show} shows all. */
    private static final List<String> JOB_FIELDS =
            List.of("id", "type", "status", "attempt", "next_attempt_at", "worker", "remaining_ms", "progress");

    @Parameters(paramLabel = "ID", description = "The cluster's id")
    private String id;

    @Override
    public Integer call() {
        var body = api().get(ApiClient.path("v1", "clusters", Text.name("ID", id)))
                .orFail()
                .body();
        output().object(output().format() == Format.JSON ? body : shortened(body));
        return Exit.DONE;
    }

    private static JsonNode shortened(JsonNode cluster) {
        var copy = cluster.<ObjectNode>deepCopy();
        shorten(copy.path(RUNNING));
        copy.path(QUEUE).forEach(ClustersShow::shorten);
        return copy;
    }

    private static void shorten(JsonNode job) {
        if (job instanceof ObjectNode fields) {
            fields.retain(JOB_FIELDS);
        }
    }
}
