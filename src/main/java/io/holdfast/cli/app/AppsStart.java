package io.holdfast.cli.app;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.kernel.Text;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "start",
        description = {
            "Start the databases of an app, and protect them from stops.",
            "Exit code 0 when all of them answer, 4 when it has to be retried.",
        },
        footer = {
            "  holdfast databases put i-0abc --type pg --host db --actuator kind=simulated",
            "  holdfast apps put billing --database i-0abc",
            "  holdfast apps start billing",
        })
final class AppsStart extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The app's name")
    private String name;

    @Override
    public Integer call() {
        var path = AppsCommand.path(Text.name("NAME", name)) + "/start";
        return PowerResults.of(api(), path).show(holdfast(), PowerResults::afterStart);
    }
}
