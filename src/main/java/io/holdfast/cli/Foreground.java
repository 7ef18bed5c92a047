package io.holdfast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Who hears what is typed at the terminal. */
final class Foreground {
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final Set<String> TYPED = Set.of("INT", "QUIT");

    private Foreground() {}

    /**
     * Whether a signal that came to us came to our command as well. A terminal sends Ctrl-C to everybody in the
     * foreground; to pass it on would be to press it twice.
     */
    static boolean hears(String signal) {
        if (!TYPED.contains(signal)) {
            return false;
        }
        try {
            // After the name, which is in parentheses: state, parent, group, session, terminal, foreground group.
            var stat = Files.readString(STAT);
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return !fields[4].equals("0") && fields[2].equals(fields[5]);
        } catch (IOException | IndexOutOfBoundsException elsewhere) {
            return false;
        }
    }
}
