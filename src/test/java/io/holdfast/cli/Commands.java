package io.holdfast.cli;

import io.holdfast.cli.base.CliEnvironment;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Every command that there is, found by walking from the first. */
final class Commands {
    private static final String EXAMPLE = "Example:\n";

    /** @param words what to type to reach it, without the program's name */
    record Known(CommandLine line, List<String> words) {
        String help() {
            return line.getUsageMessage();
        }

        /** What its help shows as an example, one command on each line; a backslash continues the line. */
        List<String> examples() {
            var help = help();
            return help.substring(help.indexOf(EXAMPLE) + EXAMPLE.length())
                    .replaceAll("\\\\\n *", "")
                    .lines()
                    .map(String::strip)
                    .toList();
        }

        String[] typed(String... more) {
            return Stream.concat(words.stream(), Stream.of(more)).toArray(String[]::new);
        }

        @Override
        public String toString() {
            return line.getCommandSpec().qualifiedName();
        }
    }

    private Commands() {}

    static List<Known> all() {
        var nowhere = new PrintStream(OutputStream.nullOutputStream());
        var streams = new CliEnvironment.Streams(
                InputStream.nullInputStream(), nowhere, nowhere, CliEnvironment.Terminals.NONE);
        var found = new ArrayList<Known>();
        add(
                found,
                Cli.of(new CliEnvironment(Map.of(), streams, Clock.systemUTC(), listener -> {}, timeout -> null)),
                List.of());
        return found;
    }

    private static void add(List<Known> found, CommandLine line, List<String> words) {
        found.add(new Known(line, words));
        line.getSubcommands().forEach((name, below) -> {
            var longer = new ArrayList<>(words);
            longer.add(name);
            add(found, below, List.copyOf(longer));
        });
    }
}
