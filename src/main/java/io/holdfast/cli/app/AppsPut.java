package io.holdfast.cli.app;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.base.BodyFile;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.database.PutAppBody;
import io.holdfast.kernel.Text;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "put",
        description = "Register an app, or replace its whole registration.",
        footer = {
            "  holdfast databases put i-0abc --type pg --host db --actuator kind=simulated",
            "  holdfast apps put billing --url http://billing.example/ --database i-0abc",
        })
final class AppsPut extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The app's name")
    private String name;

    @Option(names = "--url", paramLabel = "URL", description = "URL for an HTTP probe")
    private String url;

    @Option(names = "--probe", paramLabel = "PROBE", description = "http-200, http-cautious or kubernetes")
    private String probe;

    @Option(names = "--confirmations", paramLabel = "N", description = "Probes in a row that must be DOWN, 1 to 10")
    private Integer confirmations;

    @Option(names = "--kubernetes", paramLabel = "PATH", description = "For a kubernetes probe: namespace/kind/name")
    private String kubernetes;

    @Option(names = "--database", paramLabel = "ID", description = "A database that it uses; repeat it for several")
    private List<String> databases;

    @Option(names = "--file", paramLabel = "FILE", description = "The whole registration as the API's JSON; - is stdin")
    private String file;

    @Override
    public Integer call() {
        var path = AppsCommand.path(Text.name("NAME", name));
        var flags = Stream.of(url, probe, confirmations, kubernetes, databases);
        output().object(api().put(path, BodyFile.or(this, file, flags, this::body))
                .orFail()
                .body());
        return Exit.DONE;
    }

    private PutAppBody body() {
        if (databases == null) {
            // A forgotten option would unlink the app, and its databases could be stopped while it runs.
            throw usageError("Name its databases with --database; an app without databases needs --file");
        }
        return new PutAppBody(
                url,
                probe,
                confirmations,
                kubernetes == null ? null : WorkloadPath.parsed(this, kubernetes),
                databases);
    }
}
