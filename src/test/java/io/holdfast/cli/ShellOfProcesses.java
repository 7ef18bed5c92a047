package io.holdfast.cli;

import io.holdfast.boot.PackagedCommand;
import java.util.Map;

/** The packaged program, as a person or a script calls it. */
final class ShellOfProcesses implements Shell {
    @Override
    public Result run(Map<String, String> environment, String input, String... words) {
        try (var command = PackagedCommand.start(environment, words)) {
            command.typing(input);
            var exit = command.awaitExit();
            return new Result(exit, command.out(), command.err());
        }
    }
}
