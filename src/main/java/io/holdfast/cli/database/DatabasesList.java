package io.holdfast.cli.database;

import io.holdfast.cli.api.Pages;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.Exit;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
        name = "list",
        description = "List the registered databases.",
        footer = "  holdfast databases list --output plain")
final class DatabasesList extends ApiCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("ID", "id"),
            new Column("TYPE", "type"),
            new Column("HOST", "host"),
            new Column("ACTUATOR", "actuator.kind"));

    @Override
    public Integer call() {
        Pages.of(api(), "/v1/databases", "databases").show(Map.of(), output().listing(COLUMNS));
        return Exit.DONE;
    }
}
