package io.holdfast.cli.service;

import io.holdfast.cli.api.Pages;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.Exit;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "history",
        description = "List the moves of a service, the newest first.",
        footer = {
            "  holdfast services put orders --unobserved",
            "  holdfast services history orders --limit 5",
        })
final class ServicesHistory extends ApiCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("AT", "at"),
            new Column("FROM", "from"),
            new Column("TO", "to"),
            new Column("BY", "by"),
            new Column("VERSION", "version"),
            new Column("ROLLED BACK", "rolled_back"),
            new Column("OBSERVED", "observed.state"),
            new Column("DEPLOYMENT", "deployment_id"),
            new Column("REASON", "reason"));

    @Parameters(paramLabel = "NAME", description = "The service's name")
    private String name;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "At most N moves. Default: 20")
    private int limit;

    @Override
    public Integer call() {
        if (limit < 1) {
            throw usageError("--limit must be 1 or more");
        }
        Pages.of(api(), ServicesCommand.path(name) + "/history", "moves").showFirst(limit, output().listing(COLUMNS));
        return Exit.DONE;
    }
}
