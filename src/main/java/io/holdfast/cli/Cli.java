package io.holdfast.cli;

import io.holdfast.cli.app.AppsCommand;
import io.holdfast.cli.app.StatusCommand;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.base.Holdfast;
import io.holdfast.cli.database.BrakeCommand;
import io.holdfast.cli.database.DatabasesCommand;
import io.holdfast.cli.doctor.DoctorCommand;
import io.holdfast.cli.lock.ExecCommand;
import io.holdfast.cli.lock.LocksCommand;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import io.holdfast.cli.output.Output;
import io.holdfast.cli.table.TableCommand;
import io.holdfast.http.wire.Times;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Suggestions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line, from its words to its exit code. */
public final class Cli {
    private static final int SCREEN_WIDTH = 80;

    /** Nobody means more, and sums of it stay sums. */
    private static final Duration DURATION_MAX = Duration.ofDays(3650);

    /** As we write it ourselves: 1h30m. */
    private static final String PARTS = "(?<=[a-z])(?=[0-9])";

    private Cli() {}

    /** What can be named first. */
    private enum Word {
        LOCKS(LocksCommand.class),
        EXEC(ExecCommand.class),
        APPS(AppsCommand.class),
        DATABASES(DatabasesCommand.class),
        STATUS(StatusCommand.class),
        BRAKE(BrakeCommand.class),
        SERVE(ServeCommand.class),
        TABLE(TableCommand.class),
        DOCTOR(DoctorCommand.class),
        COMPLETION(CompletionCommand.class);

        private final Class<?> command;

        Word(Class<?> command) {
            this.command = command;
        }

        String typed() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Those that these words need: to build them all takes longer than most answers. */
        static Stream<Word> neededFor(String... words) {
            var first = words.length == 0 ? "" : words[0];
            return Stream.of(values()).anyMatch(word -> word.typed().equals(first))
                    ? Stream.of(values()).filter(word -> word.typed().equals(first))
                    : Stream.of(values());
        }
    }

    public static int run(CliEnvironment environment, String... words) {
        try (var holdfast = new Holdfast(environment)) {
            var asked = asked(words);
            return of(holdfast, Word.neededFor(asked)).execute(asked);
        }
    }

    /** Some ask for help before they say with what. */
    private static String[] asked(String... words) {
        if (words.length == 0 || !words[0].equals("help")) {
            return words;
        }
        return Stream.concat(Stream.of(words).skip(1), Stream.of("--help")).toArray(String[]::new);
    }

    /** All of it. */
    static CommandLine of(CliEnvironment environment) {
        return of(new Holdfast(environment), Word.neededFor());
    }

    private static CommandLine of(Holdfast holdfast, Stream<Word> words) {
        var commands = new CommandLine(holdfast);
        words.forEach(word -> commands.addSubcommand(word.command));
        var exec = commands.getSubcommands().get(Word.EXEC.typed());
        if (exec != null) {
            // What follows the first word of its command is that command's.
            exec.setStopAtPositional(true);
        }
        everywhere(commands);
        var environment = holdfast.environment();
        var streams = environment.streams();
        return commands.setOut(new PrintWriter(streams.out(), true))
                .setErr(new PrintWriter(streams.err(), true))
                .setColorScheme(
                        CommandLine.Help.defaultColorScheme(Holdfast.coloured(environment) ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(SCREEN_WIDTH)
                .setAbbreviatedOptionsAllowed(false)
                // What begins with an @ is an argument like any other, above all after --.
                .setExpandAtFiles(false)
                // There is a command 'table', and there are locks that are named like commands.
                .setAllowSubcommandsAsOptionParameters(true)
                .setOverwrittenOptionsAllowed(false)
                .registerConverter(Duration.class, Cli::duration)
                .registerConverter(Integer.class, text -> number(text, Integer::valueOf))
                .registerConverter(int.class, text -> number(text, Integer::valueOf))
                .registerConverter(Long.class, text -> number(text, Long::valueOf))
                .registerConverter(Format.class, text -> word(Format.values(), text))
                .registerConverter(CompletionCommand.Shell.class, text -> word(CompletionCommand.Shell.values(), text))
                .setParameterExceptionHandler(Cli::wronglyCalled)
                .setExecutionExceptionHandler((thrown, command, parsed) -> failed(environment, thrown));
    }

    /** What matters most comes first, and the first line says what has to be there. */
    private static void everywhere(CommandLine command) {
        command.getCommandSpec().usageMessage().sortOptions(false).abbreviateSynopsis(true);
        command.getSubcommands().values().forEach(Cli::everywhere);
    }

    private static Duration duration(String text) {
        try {
            var duration = Duration.ZERO;
            for (var part : text.split(PARTS)) {
                duration = duration.plus(Times.duration("It", part));
            }
            if (duration.compareTo(DURATION_MAX) > 0) {
                throw new TypeConversionException("'%s' is longer than %d days".formatted(text, DURATION_MAX.toDays()));
            }
            return duration;
        } catch (InvalidInputException e) {
            throw new TypeConversionException("'" + Output.oneLine(text) + "' is not " + e.allowed());
        }
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

    private static <T> T word(T[] known, String text) {
        for (var one : known) {
            if (one.toString().equals(text)) {
                return one;
            }
        }
        var words = Stream.of(known).map(Object::toString).collect(Collectors.joining(" or "));
        throw new TypeConversionException("'%s' is not %s".formatted(Output.oneLine(text), words));
    }

    private static int wronglyCalled(ParameterException thrown, String[] words) {
        var command = thrown.getCommandLine();
        var sentence = Output.oneLine(
                        thrown instanceof UnmatchedArgumentException unknown ? unknown(unknown) : thrown.getMessage())
                .strip()
                // As picocli says it of what should be KEY=VALUE.
                .replace("option option", "option");
        var end = sentence.endsWith(".") || sentence.endsWith("?") ? " " : ". ";
        command.getErr()
                .println("holdfast: " + sentence + end + "Try '"
                        + command.getCommandSpec().qualifiedName() + " --help'.");
        return Exit.USAGE;
    }

    private static String unknown(UnmatchedArgumentException thrown) {
        var word = thrown.getUnmatched().getFirst();
        var command = thrown.getCommandLine().getCommandSpec();
        var known = thrown.isUnknownOption()
                ? command.optionsMap().keySet()
                : command.subcommands().keySet();
        if (known.isEmpty() || known.contains(word)) {
            return "'%s' is one word too many".formatted(word);
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
        environment.streams().err().println("holdfast: This should not have happened: " + Output.oneLine("" + thrown));
        return Exit.FAILED;
    }
}
