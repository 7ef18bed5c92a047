package io.holdfast.cli.base;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only has subcommands. */
@Command(footerHeading = "%nExample:%n")
public abstract class CommandGroup implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        var subcommands = String.join(", ", spec.subcommands().keySet());
        throw new ParameterException(spec.commandLine(), "Name a subcommand: " + subcommands);
    }
}
