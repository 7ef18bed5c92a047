package io.holdfast.cli.app;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.Text;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "rm",
        description = "Remove an app. It no longer keeps its databases up.",
        footer = {
            "  echo '{\"databases\": []}' | holdfast apps put billing --file -",
            "  holdfast apps rm billing",
        })
final class AppsRemove extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The app's name")
    private String name;

    @Override
    public Integer call() {
        api().delete(AppsCommand.path(Text.name("NAME", name))).orFail();
        output().removed(name);
        return Exit.DONE;
    }
}
