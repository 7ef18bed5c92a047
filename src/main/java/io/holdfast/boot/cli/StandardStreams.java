package io.holdfast.boot.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reserves the descriptors 0, 1 and 2 for stdin, stdout and stderr. If a program starts with one of them closed, the
 * next file or socket that it opens gets that number. A command of {@code exec} could then read from it, and log lines
 * could be written to it. So /dev/null is opened in place of each closed one, before any other file.
 *
 * <p>A JVM opens files before this code runs, so there the launcher script does the same.
 */
public final class StandardStreams {
    private static final Path DESCRIPTORS = Path.of("/dev/fd");
    private static final String NOTHING = "/dev/null";
    private static final int COUNT = 3;

    /** Keeps a reference to each stream. Otherwise the garbage collector would close it. */
    private static final List<FileInputStream> TAKEN = new ArrayList<>();

    private StandardStreams() {}

    public static void takeClosed() {
        takeClosed(DESCRIPTORS);
    }

    /**
     * @param descriptors a folder with an entry for each open descriptor
     * @return how many were closed
     */
    static int takeClosed(Path descriptors) {
        var closed = 0;
        // In ascending order, because the system assigns the lowest free number.
        for (var number = 0; number < COUNT; number++) {
            if (Files.isDirectory(descriptors) && isClosed(descriptors, number)) {
                closed++;
                open();
            }
        }
        return closed;
    }

    private static boolean isClosed(Path descriptors, int number) {
        return !Files.exists(descriptors.resolve(Integer.toString(number)), LinkOption.NOFOLLOW_LINKS);
    }

    private static void open() {
        try {
            TAKEN.add(new FileInputStream(NOTHING));
        } catch (IOException none) {
            // Without /dev/null the descriptor stays closed.
        }
    }
}
