package io.holdfast.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
    private static final String LOCK_NAMES = "/cli/complete-lock-names.sh";

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
        out.print(lockNames());
        out.flush();
        return Exit.DONE;
    }

    /** Completes names of locks, which only the service knows; all other words are known beforehand. */
    private static String lockNames() {
        try (var in = CompletionCommand.class.getResourceAsStream(LOCK_NAMES)) {
            if (in == null) {
                throw new IllegalStateException(LOCK_NAMES + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
