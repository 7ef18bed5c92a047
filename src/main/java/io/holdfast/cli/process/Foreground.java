package io.holdfast.cli.process;

import java.util.Set;

/** Which processes receive a signal that is typed at the terminal. */
public final class Foreground {
    private static final Set<String> TYPED = Set.of("INT", "QUIT");

    private Foreground() {}

    /**
     * Whether the child process has received this signal too. A terminal sends Ctrl-C to all processes in the foreground,
     * so a child must not get it a second time.
     */
    public static boolean receives(String signal) {
        return TYPED.contains(signal)
                && ProcessStat.of("self").filter(ProcessStat::isInForeground).isPresent();
    }
}
