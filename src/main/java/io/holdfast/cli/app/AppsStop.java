package io.holdfast.cli.app;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.kernel.Text;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "stop",
        description = {
            "Stop the databases of an app that no other app needs.",
            "Exit code 3 if one stays up for other apps, 1 if one could not be stopped.",
        },
        footer = {
            "  holdfast databases put i-0abc --type pg --host db --actuator kind=simulated",
            "  holdfast apps put billing --database i-0abc",
            "  holdfast apps stop billing --dry-run",
        })
final class AppsStop extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The app's name")
    private String name;

    @Option(names = "--dry-run", description = "Only show what would be done")
    private boolean dryRun;

    @Override
    public Integer call() {
        var path = AppsCommand.path(Text.name("NAME", name)) + "/stop" + ApiClient.query(Map.of("dry_run", dryRun));
        return PowerResults.of(api(), path).show(holdfast(), PowerResults::afterStop);
    }
}
