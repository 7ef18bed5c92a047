package io.holdfast.cli;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        description = "Print the script that completes these commands in a shell.",
        footer = "  eval \"$(holdfast completion bash)\"")
final class CompletionCommand extends ApiCommand {
    private static final String NAMES = "/cli/complete-names.sh";
    /** The script's placeholder for the names of these options. */
    private static final String OPTIONS_WITH_VALUE = "OPTIONS_WITH_VALUE";

    enum Shell {
        BASH,
        ZSH;

        /** As the user types it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh")
    private Shell shell;

    @Override
    public Integer call() {
        // One script serves both shells.
        var out = environment().streams().out();
        var commands = Cli.of(environment());
        out.print(AutoComplete.bash("holdfast", commands));
        out.print(names().replace(OPTIONS_WITH_VALUE, String.join(" ", optionsWithValue(commands))));
        out.flush();
        return Exit.DONE;
    }

    /** Options of all commands that are followed by a value. */
    private static SortedSet<String> optionsWithValue(CommandLine command) {
        var names = new TreeSet<String>();
        command.getCommandSpec().options().stream()
                .filter(option -> option.arity().min() > 0)
                .forEach(option -> names.addAll(List.of(option.names())));
        command.getSubcommands().values().forEach(subcommand -> names.addAll(optionsWithValue(subcommand)));
        return names;
    }

    /** The part of the script that asks the service for names of locks and services. */
    private static String names() {
        try (var in = CompletionCommand.class.getResourceAsStream(NAMES)) {
            if (in == null) {
                throw new IllegalStateException(NAMES + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
