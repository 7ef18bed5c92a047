package io.holdfast.cli.lock;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.Text;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "status",
        description = "Show one lock: its holder, its lease and its queue.",
        footer = {
            "  holdfast locks acquire deploy --owner ci-42",
            "  holdfast locks status deploy",
        })
final class LocksStatus extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The lock's name")
    private String name;

    @Override
    public Integer call() {
        var response = api().get(ApiClient.path("v1", "locks", Text.name("NAME", name)))
                .orFail();
        output().object(response.body());
        return Exit.DONE;
    }
}
