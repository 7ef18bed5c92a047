package io.holdfast.cli.lock;

import io.holdfast.cli.api.Pages;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.Exit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List locks; without --filter only those that are held.",
        footer = "  holdfast locks list --filter status=all --prefix terraform-")
final class LocksList extends ApiCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("LOCK", "name"),
            new Column("OWNER", "owner"),
            new Column("STATUS", "status"),
            new Column("LEFT", "remaining_ms"),
            new Column("TOKEN", "fencing_token"),
            new Column("TYPE", "lock_type"),
            new Column("WAITING", "waiting"));

    private static final List<String> FILTERS = List.of("status", "lock_type");

    @Option(
            names = "--filter",
            paramLabel = "FIELD=VALUE",
            description = "status=active|expired|released|all, lock_type=generic|database|…")
    private Map<String, String> filter = new LinkedHashMap<>();

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only names with this prefix")
    private String prefix;

    @Option(names = "--owner", paramLabel = "WHO", description = "Only locks of this owner")
    private String owner;

    @Option(names = "--limit", paramLabel = "N", description = "At most N locks. Default: all")
    private Integer limit;

    @Option(
            names = {"-w", "--watch"},
            paramLabel = "TIME",
            arity = "0..1",
            fallbackValue = "2s",
            description = "Repeat the list every TIME. Default: 2s")
    private Duration watch;

    @Override
    public Integer call() {
        for (var field : filter.keySet()) {
            if (!FILTERS.contains(field)) {
                throw usageError("--filter takes " + String.join(" and ", FILTERS) + ", not '" + field + "'");
            }
        }
        if (limit != null && limit < 1) {
            throw usageError("--limit must be 1 or more");
        }
        if (watch == null) {
            list();
            return Exit.DONE;
        }
        return new Watch(environment(), watch).repeat(this::list);
    }

    private boolean list() {
        var query = new LinkedHashMap<String, String>(filter);
        query.put("prefix", prefix);
        query.put("owner", owner);
        return Pages.of(api(), "/v1/locks", "locks")
                .show(query, limit == null ? Integer.MAX_VALUE : limit, output().listing(COLUMNS));
    }
}
