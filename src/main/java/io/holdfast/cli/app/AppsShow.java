package io.holdfast.cli.app;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.Text;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show the registration of an app.",
        footer = {
            "  echo '{\"databases\": []}' | holdfast apps put billing --file -",
            "  holdfast apps show billing",
        })
final class AppsShow extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The app's name")
    private String name;

    @Override
    public Integer call() {
        output().object(api().get(AppsCommand.path(Text.name("NAME", name)))
                .orFail()
                .body());
        return Exit.DONE;
    }
}
