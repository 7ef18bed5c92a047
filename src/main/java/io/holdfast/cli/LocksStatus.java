package io.holdfast.cli;

import io.holdfast.kernel.Text;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "status",
        description = "Show one lock: who has it, for how long, and who waits.",
        footer = {
            "  holdfast locks acquire deploy --owner ci-42",
            "  holdfast locks status deploy",
        })
final class LocksStatus extends Client {
    @Parameters(paramLabel = "NAME", description = "The lock's name")
    private String name;

    @Override
    public Integer call() {
        var answer = api().get(Api.path("v1", "locks", Text.name("NAME", name))).orFail();
        screen().sheet(answer.body());
        return Exit.DONE;
    }
}
