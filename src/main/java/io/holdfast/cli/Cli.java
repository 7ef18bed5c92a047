package io.holdfast.cli;

import io.holdfast.http.wire.Times;
import io.holdfast.kernel.InvalidInputException;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The command line, from its words to its exit code. */
public final class Cli {
    private static final int SCREEN_WIDTH = 80;

    private Cli() {}

    public static int run(World world, String... words) {
        return of(world).execute(words);
    }

    static CommandLine of(World world) {
        var streams = world.streams();
        var commands = new CommandLine(new Holdfast(world))
                .setOut(new java.io.PrintWriter(streams.out(), true))
                .setErr(new java.io.PrintWriter(streams.err(), true))
                .setColorScheme(CommandLine.Help.defaultColorScheme(Holdfast.coloured(world) ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(SCREEN_WIDTH)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setOverwrittenOptionsAllowed(false)
                .registerConverter(Duration.class, Cli::duration)
                .setParameterExceptionHandler(Cli::wronglyCalled)
                .setExecutionExceptionHandler((thrown, command, parsed) -> failed(world, thrown));
        // What follows the first word of its command is that command's.
        commands.getSubcommands().get("exec").setStopAtPositional(true);
        return commands;
    }

    private static Duration duration(String text) {
        try {
            return Times.duration("It", text);
        } catch (InvalidInputException e) {
            throw new TypeConversionException("'" + Screen.oneLine(text) + "' is not " + e.allowed());
        }
    }

    private static int wronglyCalled(ParameterException thrown, String[] words) {
        var command = thrown.getCommandLine();
        var sentence = Screen.oneLine(thrown.getMessage()).strip();
        var end = sentence.endsWith(".") ? " " : ". ";
        command.getErr()
                .println("holdfast: " + sentence + end + "Try '"
                        + command.getCommandSpec().qualifiedName() + " --help'.");
        return Exit.USAGE;
    }

    private static int failed(World world, Exception thrown) {
        if (thrown instanceof Failure failure) {
            world.streams().err().println("holdfast: " + failure.getMessage());
            return failure.exit();
        }
        if (thrown instanceof InvalidInputException input) {
            world.streams().err().println("holdfast: " + input.getMessage() + ".");
            return Exit.USAGE;
        }
        world.streams().err().println("holdfast: This should not have happened: " + Screen.oneLine("" + thrown));
        return Exit.FAILED;
    }
}
