package io.holdfast.cli.cluster;

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
        description = "List clusters by name.",
        footer = "  holdfast clusters list --status READY --prefix web")
final class ClustersList extends ApiCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("ID", "id"),
            new Column("NAME", "name"),
            new Column("STATUS", "status"),
            new Column("PLATFORM", "platform"),
            new Column("BASE DOMAIN", "base_domain"),
            new Column("EXPIRES", "expires_at"),
            new Column("LABELS", "labels"));

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            completionCandidates = ClusterStatuses.class,
            description = "Only those in this status, such as READY or FAILED")
    private String status;

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only names with this prefix")
    private String prefix;

    @Override
    public Integer call() {
        var query = new LinkedHashMap<String, String>();
        query.put("status", status);
        query.put("prefix", prefix);
        Pages.of(api(), ClustersCommand.PATH, "clusters").show(query, output().listing(COLUMNS));
        return Exit.DONE;
    }
}
