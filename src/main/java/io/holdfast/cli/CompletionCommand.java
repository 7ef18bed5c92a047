package io.holdfast.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What a shell needs to complete our words. */
@Command(
        name = "completion",
        description = "Print what makes a shell complete these commands.",
        footer = "  eval \"$(holdfast completion bash)\"")
final class CompletionCommand extends Client {
    /** zsh reads bash's completions when it is told to. */
    private static final String ZSH =
            "autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n";

    enum Shell {
        BASH,
        ZSH
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh")
    private Shell shell;

    @Override
    public Integer call() {
        var out = world().streams().out();
        if (shell == Shell.ZSH) {
            out.print(ZSH);
        }
        out.print(AutoComplete.bash("holdfast", Cli.of(world())));
        out.flush();
        return Exit.DONE;
    }
}
