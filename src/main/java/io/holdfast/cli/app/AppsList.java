package io.holdfast.cli.app;

import io.holdfast.cli.api.Pages;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.Exit;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(name = "list", description = "List the registered apps.", footer = "  holdfast apps list --output plain")
final class AppsList extends ApiCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("NAME", "name"),
            new Column("PROBE", "probe"),
            new Column("URL", "url"),
            new Column("DATABASES", "databases"));

    @Override
    public Integer call() {
        Pages.of(api(), "/v1/apps", "apps").show(Map.of(), output().listing(COLUMNS));
        return Exit.DONE;
    }
}
