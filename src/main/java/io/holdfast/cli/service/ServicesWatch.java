package io.holdfast.cli.service;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.Text;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "watch",
        description = {
            "Print the moves of services as they happen.",
            "Ends on Ctrl-C or SIGTERM. Reconnects without a gap. JSON: one line per move.",
        },
        footer = "  holdfast services watch --prefix shop- --for 1s")
final class ServicesWatch extends ApiCommand {
    private static final Set<String> STOP_SIGNALS = Set.of("HUP", "INT", "QUIT", "TERM");

    private static final List<Column> COLUMNS = List.of(
            new Column("AT", "at"),
            new Column("SERVICE", "service"),
            new Column("FROM", "from"),
            new Column("TO", "to"),
            new Column("BY", "by"),
            new Column("VERSION", "version"),
            new Column("ROLLED BACK", "rolled_back"),
            new Column("OBSERVED", "observed.state"),
            new Column("DEPLOYMENT", "deployment_id"),
            new Column("REASON", "reason"));

    @Parameters(paramLabel = "NAME", arity = "0..1", description = "Only this service. Default: all")
    private String name;

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only names with this prefix")
    private String prefix;

    @Option(names = "--for", paramLabel = "TIME", description = "End after this time. Default: never")
    private Duration atMost;

    @Override
    public Integer call() throws InterruptedException {
        if (name != null && prefix != null) {
            throw usageError("Give NAME or --prefix, not both");
        }
        var only = Optional.ofNullable(name).map(given -> Text.name("NAME", given));
        var watcher =
                new MoveWatcher(api(), only, Optional.ofNullable(prefix), output().stream(COLUMNS), holdfast()::note);
        environment().signals().listen((signal, number) -> {
            if (STOP_SIGNALS.contains(signal)) {
                watcher.stop();
            }
        });
        watcher.watch(Optional.ofNullable(atMost));
        return Exit.DONE;
    }
}
