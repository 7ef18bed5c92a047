package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The state of a process from Linux's {@code /proc}; empty on other systems.
 *
 * @param terminal 0 if it has none
 * @param foreground the process group in the foreground of that terminal
 */
record ProcessStat(String state, String group, String session, String terminal, String foreground) {
    private static final String NONE = "0";
    private static final String ZOMBIE = "Z";

    /** @param process its id, or {@code self} */
    static Optional<ProcessStat> of(String process) {
        try {
            // The fields after the name in parentheses: state, parent, group, session, terminal, foreground group. The
            // name may be cut within a character, so it is not read as UTF-8.
            var stat = Files.readString(Path.of("/proc/" + process + "/stat"), StandardCharsets.ISO_8859_1);
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Optional.of(new ProcessStat(fields[0], fields[2], fields[3], fields[4], fields[5]));
        } catch (IOException | IndexOutOfBoundsException unknown) {
            return Optional.empty();
        }
    }

    static Optional<ProcessStat> of(ProcessHandle process) {
        return of(Long.toString(process.pid()));
    }

    /** It has exited, and its parent has not reaped it. */
    boolean isZombie() {
        return state.equals(ZOMBIE);
    }

    boolean isInForeground() {
        return !terminal.equals(NONE) && group.equals(foreground);
    }
}
