package io.holdfast.cli;

import io.holdfast.cli.access.AccessCommand;
import io.holdfast.cli.app.AppsCommand;
import io.holdfast.cli.app.StatusCommand;
import io.holdfast.cli.auth.AuthCommand;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.base.DurationArgument;
import io.holdfast.cli.base.Holdfast;
import io.holdfast.cli.cluster.ClustersCommand;
import io.holdfast.cli.database.BrakeCommand;
import io.holdfast.cli.database.DatabasesCommand;
import io.holdfast.cli.doctor.DoctorCommand;
import io.holdfast.cli.job.JobsCommand;
import io.holdfast.cli.lock.ExecCommand;
import io.holdfast.cli.lock.LocksCommand;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import io.holdfast.cli.output.Output;
import io.holdfast.cli.service.ServicesCommand;
import io.holdfast.cli.table.TableCommand;
import io.holdfast.cli.work.WorkCommand;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Suggestions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of the command line: parses the arguments, runs a command, returns its exit code. */
public final class Cli {
    private static final int HELP_WIDTH = 80;

    private Cli() {}

    private enum TopCommand {
        LOCKS(LocksCommand.class),
        EXEC(ExecCommand.class),
        APPS(AppsCommand.class),
        DATABASES(DatabasesCommand.class),
        STATUS(StatusCommand.class),
        BRAKE(BrakeCommand.class),
        CLUSTERS(ClustersCommand.class),
        JOBS(JobsCommand.class),
        WORK(WorkCommand.class),
        SERVICES(ServicesCommand.class),
        SERVE(ServeCommand.class),
        ACCESS(AccessCommand.class),
        AUTH(AuthCommand.class),
        TABLE(TableCommand.class),
        DOCTOR(DoctorCommand.class),
        COMPLETION(CompletionCommand.class);

        private final Class<?> command;

        TopCommand(Class<?> command) {
            this.command = command;
        }

        String typed() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Only the named command if there is one: to build all takes longer than most requests. */
        static Stream<TopCommand> neededFor(String... arguments) {
            var first = arguments.length == 0 ? "" : arguments[0];
            return Stream.of(values()).anyMatch(command -> command.typed().equals(first))
                    ? Stream.of(values()).filter(command -> command.typed().equals(first))
                    : Stream.of(values());
        }
    }

    public static int run(CliEnvironment environment, String... arguments) {
        try (var holdfast = new Holdfast(environment)) {
            var normalized = withHelpLast(arguments);
            return of(holdfast, TopCommand.neededFor(normalized)).execute(normalized);
        }
    }

    /** Turns {@code help locks} into {@code locks --help}. */
    private static String[] withHelpLast(String... arguments) {
        if (arguments.length == 0 || !arguments[0].equals("help")) {
            return arguments;
        }
        return Stream.concat(Stream.of(arguments).skip(1), Stream.of("--help")).toArray(String[]::new);
    }

    /** With all commands. */
    static CommandLine of(CliEnvironment environment) {
        return of(new Holdfast(environment), TopCommand.neededFor());
    }

    private static CommandLine of(Holdfast holdfast, Stream<TopCommand> needed) {
        var commands = new CommandLine(holdfast);
        needed.forEach(one -> commands.addSubcommand(one.command));
        Stream.of(TopCommand.EXEC, TopCommand.WORK)
                .map(one -> commands.getSubcommands().get(one.typed()))
                .filter(Objects::nonNull)
                // Options after the first word of the child's command belong to the child.
                .forEach(one -> one.setStopAtPositional(true));
        configureHelp(commands);
        var environment = holdfast.environment();
        var streams = environment.streams();
        return commands.setOut(new PrintWriter(streams.out(), true))
                .setErr(new PrintWriter(streams.err(), true))
                .setColorScheme(
                        CommandLine.Help.defaultColorScheme(Holdfast.coloured(environment) ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(HELP_WIDTH)
                .setAbbreviatedOptionsAllowed(false)
                // An argument that begins with @ is not a file of arguments.
                .setExpandAtFiles(false)
                // A value may have the name of a command: --output table, or a lock named exec.
                .setAllowSubcommandsAsOptionParameters(true)
                .setOverwrittenOptionsAllowed(false)
                .registerConverter(Duration.class, DurationArgument::parse)
                .registerConverter(Integer.class, text -> number(text, Integer::valueOf))
                .registerConverter(int.class, text -> number(text, Integer::valueOf))
                .registerConverter(Long.class, text -> number(text, Long::valueOf))
                .registerConverter(Format.class, text -> constant(Format.values(), text))
                .registerConverter(
                        CompletionCommand.Shell.class, text -> constant(CompletionCommand.Shell.values(), text))
                .setParameterExceptionHandler(Cli::usageError)
                .setExecutionExceptionHandler((thrown, command, parsed) -> failed(environment, thrown));
    }

    /** Shows options in the order of their declaration, and only required ones in the synopsis. */
    private static void configureHelp(CommandLine command) {
        command.getCommandSpec().usageMessage().sortOptions(false).abbreviateSynopsis(true);
        command.getSubcommands().values().forEach(Cli::configureHelp);
    }

    private static <N> N number(String text, Function<String, N> parsed) {
        try {
            return parsed.apply(text);
        } catch (NumberFormatException e) {
            var tooLarge = text.matches("[-+]?[0-9]+");
            throw new TypeConversionException(
                    "'%s' is %s".formatted(Output.oneLine(text), tooLarge ? "too large" : "not a whole number"));
        }
    }

    private static <T> T constant(T[] known, String text) {
        for (var one : known) {
            if (one.toString().equals(text)) {
                return one;
            }
        }
        var words = Stream.of(known).map(Object::toString).collect(Collectors.joining(" or "));
        throw new TypeConversionException("'%s' is not %s".formatted(Output.oneLine(text), words));
    }

    private static int usageError(ParameterException thrown, String[] arguments) {
        var command = thrown.getCommandLine();
        var sentence = Output.oneLine(
                        thrown instanceof UnmatchedArgumentException unknown ? unknown(unknown) : thrown.getMessage())
                .strip()
                // picocli repeats the word in errors about KEY=VALUE.
                .replace("option option", "option");
        var end = sentence.endsWith(".") || sentence.endsWith("?") ? " " : ". ";
        command.getErr()
                .println("holdfast: " + sentence + end + "Try '"
                        + command.getCommandSpec().qualifiedName() + " --help'.");
        return Exit.USAGE;
    }

    private static String unknown(UnmatchedArgumentException thrown) {
        // Without the value, which may be secret.
        var word = thrown.getUnmatched().getFirst().replaceFirst("^(--[^=]+)=.*", "$1");
        var command = thrown.getCommandLine().getCommandSpec();
        var known = thrown.isUnknownOption()
                ? command.optionsMap().keySet()
                : command.subcommands().keySet();
        if (known.isEmpty() || known.contains(word)) {
            return "Unexpected argument '%s'".formatted(word);
        }
        var sentence = "There is no %s '%s'".formatted(thrown.isUnknownOption() ? "option" : "command", word);
        return Suggestions.nearest(word, known)
                .map(meant -> "%s; did you mean %s?".formatted(sentence, meant))
                .orElse(sentence);
    }

    private static int failed(CliEnvironment environment, Exception thrown) {
        if (thrown instanceof CliException failure) {
            environment.streams().err().println("holdfast: " + failure.getMessage());
            return failure.exit();
        }
        if (thrown instanceof InvalidInputException input) {
            environment.streams().err().println("holdfast: " + input.getMessage() + ".");
            return Exit.USAGE;
        }
        environment.streams().err().println("holdfast: Unexpected error: " + Output.oneLine("" + thrown));
        return Exit.FAILED;
    }
}
