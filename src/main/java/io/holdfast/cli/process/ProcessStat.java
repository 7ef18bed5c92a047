package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What Linux says of a process; elsewhere nothing is known.
 *
 * @param terminal 0 if it has none
 * @param foreground the group that is in the foreground of that terminal
 */
record ProcessStat(String state, String group, String session, String terminal, String foreground) {
    private static final String NONE = "0";
    private static final String ZOMBIE = "Z";

    /** @param process its number, or self */
    static Optional<ProcessStat> of(String process) {
        try {
            // A long name may be cut within a character. After it, in parentheses: state, parent, group, session,
            // terminal, foreground group.
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

    /** It has ended and is still to be buried. */
    boolean isZombie() {
        return state.equals(ZOMBIE);
    }

    boolean isInForeground() {
        return !terminal.equals(NONE) && group.equals(foreground);
    }
}
