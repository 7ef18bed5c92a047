package io.holdfast.boot.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the descriptors 0, 1 and 2 for stdin, stdout and stderr. If a program is started with one of them closed, the
 * next file or socket that it opens gets that number: a command started by {@code exec} would read from it, and log lines
 * could be written into it. So each closed one is taken by /dev/null, before anything else is opened.
 *
 * <p>On a JVM this is too late, because the JVM opens files before any of our code runs; there the launcher does the same.
 */
public final class StandardStreams {
    private static final Path DESCRIPTORS = Path.of("/dev/fd");
    private static final String NOTHING = "/dev/null";
    private static final int COUNT = 3;

    /** Never closed: a stream that nobody refers to would be closed when it is collected. */
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
        // In ascending order: the lowest free number is used first.
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
            // There is no /dev/null: the descriptor stays closed.
        }
    }
}
