package io.holdfast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Who we say we are. */
final class Owners {
    static final String VARIABLE = "HOLDFAST_OWNER";

    /** What Java calls a user without a name. */
    private static final String UNNAMED = "?";

    private static final int PART_LENGTH_MAX = 100;
    private static final int RANDOM_LENGTH = 8;

    private Owners() {}

    /** @param given by the caller; else by the environment; else somebody that nobody else is */
    static String of(String given, World world) {
        return given != null ? given : world.setting(VARIABLE, unique(world));
    }

    /** Two shells of one user on one machine are two owners: as one, both would be given the lock. */
    private static String unique(World world) {
        var random = UUID.randomUUID().toString().substring(0, RANDOM_LENGTH);
        return printable(user(world)) + "@" + printable(host(world)) + "-" + random;
    }

    /** As the environment says, else as the system does. In a container, the number of a user often has no name. */
    private static String user(World world) {
        var named = world.setting("USER", world.setting("LOGNAME", System.getProperty("user.name", UNNAMED)));
        return named.isBlank() || named.equals(UNNAMED) ? numbered() : named;
    }

    private static String numbered() {
        try {
            return "uid-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException elsewhere) {
            return "pid-" + ProcessHandle.current().pid();
        }
    }

    static String host(World world) {
        var known = world.setting("HOSTNAME", "");
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
    static String printable(String text) {
        var clean = text.replaceAll("[^A-Za-z0-9._-]", "_");
        return clean.substring(0, Math.min(clean.length(), PART_LENGTH_MAX));
    }
}
