package io.holdfast.cli.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Who we say we are. */
public final class Owners {
    public static final String VARIABLE = "HOLDFAST_OWNER";

    /** What Java calls a user without a name. */
    private static final String UNNAMED = "?";

    private static final int PART_LENGTH_MAX = 100;
    private static final int RANDOM_LENGTH = 8;

    private Owners() {}

    /** @param given by the caller; else by the environment; else somebody that nobody else is */
    public static String of(String given, CliEnvironment environment) {
        return given != null ? given : environment.setting(VARIABLE, unique(environment));
    }

    /** Two shells of one user on one machine are two owners: as one, both would be given the lock. */
    private static String unique(CliEnvironment environment) {
        var random = UUID.randomUUID().toString().substring(0, RANDOM_LENGTH);
        return printable(user(environment)) + "@" + printable(host(environment)) + "-" + random;
    }

    /** As the environment says, else as the system does. In a container, the number of a user often has no name. */
    private static String user(CliEnvironment environment) {
        var named =
                environment.setting("USER", environment.setting("LOGNAME", System.getProperty("user.name", UNNAMED)));
        return named.isBlank() || named.equals(UNNAMED) ? numbered() : named;
    }

    private static String numbered() {
        try {
            return "uid-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException elsewhere) {
            return "pid-" + ProcessHandle.current().pid();
        }
    }

    public static String host(CliEnvironment environment) {
        var known = environment.setting("HOSTNAME", "");
        if (!known.isEmpty()) {
            return known;
        }
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return "localhost";
        }
    }

    /** Whatever it is, others can be shown it. */
    public static String printable(String text) {
        var clean = text.replaceAll("[^A-Za-z0-9._-]", "_");
        return clean.substring(0, Math.min(clean.length(), PART_LENGTH_MAX));
    }
}
