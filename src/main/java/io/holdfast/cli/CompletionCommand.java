package io.holdfast.cli;

import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What a shell needs to complete our words. */
@Command(
        name = "completion",
        description = "Print what makes a shell complete these commands.",
        footer = "  eval \"$(holdfast completion bash)\"")
final class CompletionCommand extends Client {
    enum Shell {
        BASH,
        ZSH;

        /** As it is typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh")
    private Shell shell;

    @Override
    public Integer call() {
        // One script for both: it tells them apart by itself.
        var out = world().streams().out();
        out.print(AutoComplete.bash("holdfast", Cli.of(world())));
        out.flush();
        return Exit.DONE;
    }
}
