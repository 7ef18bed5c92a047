package io.holdfast.cli.process;

import java.util.Set;

/** Who hears what is typed at the terminal. */
public final class Foreground {
    private static final Set<String> TYPED = Set.of("INT", "QUIT");

    private Foreground() {}

    /**
     * Whether a signal that came to us came to our command as well. A terminal sends Ctrl-C to everybody in the
     * foreground; to pass it on would be to press it twice.
     */
    public static boolean receives(String signal) {
        return TYPED.contains(signal)
                && ProcessStat.of("self").filter(ProcessStat::isInForeground).isPresent();
    }
}
