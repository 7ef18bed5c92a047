package io.holdfast.cli.service;

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
        description = {"List services by name.", "LEFT is the time until the deadline of a deployment."},
        footer = "  holdfast services list --status DEPLOYING --prefix shop-")
final class ServicesList extends ApiCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("SERVICE", "id"),
            new Column("STATUS", "status"),
            new Column("SINCE", "since"),
            new Column("LEFT", "deployment.remaining_ms"),
            new Column("VERSION", "version"),
            new Column("EPOCH", "deployment.epoch"),
            new Column("REASON", "deployment.reason"));

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            completionCandidates = ServiceStatuses.class,
            description = "Only those with this status, such as FAILED")
    private String status;

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only names with this prefix")
    private String prefix;

    @Option(names = "--limit", paramLabel = "N", description = "At most N services. Default: all")
    private Integer limit;

    @Override
    public Integer call() {
        if (limit != null && limit < 1) {
            throw usageError("--limit must be 1 or more");
        }
        var query = new LinkedHashMap<String, String>();
        query.put("status", status);
        query.put("prefix", prefix);
        Pages.of(api(), ServicesCommand.PATH, "services")
                .show(query, limit == null ? Integer.MAX_VALUE : limit, output().listing(COLUMNS));
        return Exit.DONE;
    }
}
