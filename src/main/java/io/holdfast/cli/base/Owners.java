package io.holdfast.cli.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The owner of the locks that a command acquires. */
public final class Owners {
    public static final String VARIABLE = "HOLDFAST_OWNER";

    /** Java's name for a user without a name. */
    private static final String UNNAMED = "?";

    private static final int PART_LENGTH_MAX = 100;
    private static final int RANDOM_LENGTH = 8;

    private Owners() {}

    /** The given owner, else that of the environment, else a generated one that is unique. */
    public static String of(String given, CliEnvironment environment) {
        return given != null ? given : environment.setting(VARIABLE, unique(environment));
    }

    /** Two shells of one user must be two owners: the service grants a lock again to the owner that holds it. */
    private static String unique(CliEnvironment environment) {
        var random = UUID.randomUUID().toString().substring(0, RANDOM_LENGTH);
        return printable(user(environment)) + "@" + printable(host(environment)) + "-" + random;
    }

    /** In a container the user id often has no name. */
    private static String user(CliEnvironment environment) {
        var named =
                environment.setting("USER", environment.setting("LOGNAME", System.getProperty("user.name", UNNAMED)));
        return named.isBlank() || named.equals(UNNAMED) ? numericUser() : named;
    }

    private static String numericUser() {
        try {
            return "uid-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException notLinux) {
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

    /** Replaces characters that an owner or a label must not contain, and limits the length. */
    public static String printable(String text) {
        var clean = text.replaceAll("[^A-Za-z0-9._-]", "_");
        return clean.substring(0, Math.min(clean.length(), PART_LENGTH_MAX));
    }
}
