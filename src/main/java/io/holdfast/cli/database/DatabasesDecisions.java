package io.holdfast.cli.database;

import io.holdfast.cli.api.Pages;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.Text;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "decisions",
        description = "List the decisions about a database, newest first.",
        footer = {
            "  holdfast databases put i-0abc --type pg --host db --actuator kind=simulated",
            "  holdfast databases decisions i-0abc --limit 5",
        })
final class DatabasesDecisions extends ApiCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("AT", "at"),
            new Column("DECISION", "decision"),
            new Column("APP", "app"),
            new Column("REASON", "reason"),
            new Column("TOOK", "took_ms"));

    @Parameters(paramLabel = "ID", description = "EC2 instance id, else host:port")
    private String id;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "At most N decisions. Default: 20")
    private int limit;

    @Override
    public Integer call() {
        if (limit < 1) {
            throw usageError("--limit must be 1 or more");
        }
        Pages.of(api(), DatabasesCommand.path(Text.name("ID", id)) + "/decisions", "decisions")
                .showFirst(limit, output().listing(COLUMNS));
        return Exit.DONE;
    }
}
