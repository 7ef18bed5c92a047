package io.holdfast.boot.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The arguments of a native program. The native runtime removes all {@code -D}, {@code -X} and {@code -XX} options,
 * also those after {@code --} that belong to another command. This class restores them.
 */
final class NativeArguments {
    private static final String COMMAND_LINE = "/proc/self/cmdline";
    private static final String SEPARATOR = "\0";
    private static final String PROPERTY = "-D";

    /** Prefixes of properties that affect network connections. */
    private static final List<String> CONNECTION_PROPERTIES =
            List.of("http.", "https.", "socks", "java.net.", "javax.net.", "jdk.http", "jdk.tls.", "com.sun.net.");

    private NativeArguments() {}

    /** @param left the arguments that the native runtime has left */
    static String[] ofProcess(String... left) {
        try {
            return restored(Files.readString(Path.of(COMMAND_LINE), StandardCharsets.UTF_8), left);
        } catch (IOException elsewhere) {
            return left;
        }
    }

    /** @param commandLine the program and its arguments, each followed by a zero byte */
    static String[] restored(String commandLine, String... left) {
        var all = new ArrayList<>(List.of(commandLine.split(SEPARATOR, -1)));
        all.removeFirst();
        if (!all.isEmpty()) {
            all.removeLast();
        }
        // Options before the first argument are for the program itself.
        while (!all.isEmpty() && isForTheProgram(all.getFirst())) {
            all.removeFirst();
        }
        return isWithin(List.of(left), all) ? all.toArray(String[]::new) : left;
    }

    /**
     * Properties that the native runtime has set from the arguments of another command. Its proxy and certificates must
     * not apply to Holdfast.
     */
    static List<String> propertiesOfOthers(String... restored) {
        return Stream.of(restored)
                .filter(word -> word.startsWith(PROPERTY) && word.contains("="))
                .map(word -> word.substring(PROPERTY.length(), word.indexOf('=')))
                .filter(name -> CONNECTION_PROPERTIES.stream().anyMatch(name::startsWith))
                .toList();
    }

    private static boolean isForTheProgram(String word) {
        return word.startsWith("-X") || word.startsWith(PROPERTY) && word.contains("=");
    }

    private static boolean isWithin(List<String> some, List<String> all) {
        var next = 0;
        for (var word : all) {
            if (next < some.size() && some.get(next).equals(word)) {
                next++;
            }
        }
        return next == some.size();
    }
}
