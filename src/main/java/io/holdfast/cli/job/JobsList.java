package io.holdfast.cli.job;

import io.holdfast.cli.api.Pages;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.Exit;
import java.util.LinkedHashMap;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List jobs, the newest first. DEAD ones have used up their attempts.",
        footer = "  holdfast jobs list --status DEAD --output plain")
final class JobsList extends ApiCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("JOB", "id"),
            new Column("TYPE", "type"),
            new Column("STATUS", "status"),
            new Column("CLUSTER", "cluster"),
            new Column("ATTEMPT", "attempt"),
            new Column("PERCENT", "progress.percent"),
            new Column("ERROR", "error_code"),
            new Column("WORKER", "worker"),
            new Column("CREATED", "created_at"));

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            completionCandidates = JobStatuses.class,
            description = "Only those in this status, such as RUNNING or DEAD")
    private String status;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            completionCandidates = JobTypes.class,
            description = "Only those of this type, such as CREATE")
    private String type;

    @Option(names = "--cluster", paramLabel = "ID", description = "Only those of this cluster")
    private String cluster;

    @Option(names = "--limit", paramLabel = "N", description = "At most N jobs. Default: all")
    private Integer limit;

    @Override
    public Integer call() {
        if (limit != null && limit < 1) {
            throw usageError("--limit must be 1 or more");
        }
        var query = new LinkedHashMap<String, String>();
        query.put("status", status);
        query.put("type", type);
        query.put("cluster", cluster);
        Pages.of(api(), "/v1/jobs", "jobs")
                .show(query, limit == null ? Integer.MAX_VALUE : limit, output().listing(COLUMNS));
        return Exit.DONE;
    }
}
