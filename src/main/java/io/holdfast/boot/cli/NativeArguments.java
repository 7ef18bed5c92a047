package io.holdfast.boot.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the program was called with. A native program takes {@code -D}, {@code -X} and {@code -XX} options for its own
 * wherever they stand, also behind {@code --}, where they belong to another command; they are put back.
 */
final class NativeArguments {
    private static final String COMMAND_LINE = "/proc/self/cmdline";
    private static final String BETWEEN = "\0";
    private static final String PROPERTY = "-D";

    /** What decides how a connection is made. */
    private static final List<String> OF_CONNECTIONS =
            List.of("http.", "https.", "socks", "java.net.", "javax.net.", "jdk.http", "jdk.tls.", "com.sun.net.");

    private NativeArguments() {}

    /** @param left what the native program has left of them */
    static String[] ofProcess(String... left) {
        try {
            return restored(Files.readString(Path.of(COMMAND_LINE), StandardCharsets.UTF_8), left);
        } catch (IOException elsewhere) {
            return left;
        }
    }

    /** @param commandLine the program and its words, each with a zero byte behind it */
    static String[] restored(String commandLine, String... left) {
        var all = new ArrayList<>(List.of(commandLine.split(BETWEEN, -1)));
        all.removeFirst();
        if (!all.isEmpty()) {
            all.removeLast();
        }
        // Those in front are for the program itself.
        while (!all.isEmpty() && isForTheProgram(all.getFirst())) {
            all.removeFirst();
        }
        return isWithin(List.of(left), all) ? all.toArray(String[]::new) : left;
    }

    /**
     * Properties that the native program has taken from the words of another command: that one's proxy and that one's
     * certificates are not ours.
     */
    static List<String> propertiesOfOthers(String... restored) {
        return Stream.of(restored)
                .filter(word -> word.startsWith(PROPERTY) && word.contains("="))
                .map(word -> word.substring(PROPERTY.length(), word.indexOf('=')))
                .filter(name -> OF_CONNECTIONS.stream().anyMatch(name::startsWith))
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
