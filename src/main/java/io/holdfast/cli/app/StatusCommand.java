package io.holdfast.cli.app;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.Text;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "status",
        description = "Probe an app: UP, DOWN or UNKNOWN.",
        footer = {
            "  echo '{\"databases\": []}' | holdfast apps put billing --file -",
            "  holdfast status billing",
        })
public final class StatusCommand extends ApiCommand {
    /** The service's default limit for one probe. */
    private static final Duration LONGER = Duration.ofSeconds(20);

    @Parameters(paramLabel = "APP", description = "The app's name")
    private String app;

    @Override
    public Integer call() {
        var path = "/status/quick" + ApiClient.query(Map.of("app", Text.name("APP", app)));
        output().object(api().get(path, LONGER).orFail().body());
        return Exit.DONE;
    }
}
