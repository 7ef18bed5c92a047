package io.holdfast.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(name = "list", description = "List the registered apps.", footer = "  holdfast apps list --output plain")
final class AppsList extends Client {
    private static final List<Column> COLUMNS = List.of(
            new Column("NAME", "name"),
            new Column("PROBE", "probe"),
            new Column("URL", "url"),
            new Column("DATABASES", "databases"));

    @Override
    public Integer call() {
        Pages.of(api(), "/v1/apps", "apps").show(Map.of(), screen().listing(COLUMNS));
        return Exit.DONE;
    }
}
