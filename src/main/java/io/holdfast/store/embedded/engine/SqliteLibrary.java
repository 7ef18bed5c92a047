package io.holdfast.store.embedded.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;
import org.sqlite.util.OSInfo;

/**
 * Places the native SQLite library for its driver. By default the driver unpacks it into the temporary folder at every
 * start, and compares it byte by byte.
 */
final class SqliteLibrary {
    private static final String PATH = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";
    private static final String TEMPORARY_FOLDER = "org.sqlite.tmpdir";
    private static final String LINUX_RESOURCES = "/org/sqlite/native/Linux/";
    private static final String PREFIX = "libholdfast-sqlite-";

    private static boolean placed;

    private SqliteLibrary() {}

    /**
     * Copies the library into the folder, and removes the copies of killed processes. Does nothing if the operator has
     * set a place for it, for example because the folder is mounted noexec.
     */
    static synchronized void placeIn(Path folder) throws IOException {
        if (placed || isSetByOperator()) {
            return;
        }
        Files.createDirectories(folder);
        clear(folder);
        // A JVM loads a file only once. After a live reload the library is loaded again, so it needs a new name.
        var name = PREFIX + UUID.randomUUID() + ".so";
        copyTo(folder.resolve(name));
        System.setProperty(PATH, folder.toAbsolutePath().toString());
        System.setProperty(NAME, name);
        // The driver removes its own old copies there.
        System.setProperty(TEMPORARY_FOLDER, folder.toAbsolutePath().toString());
        placed = true;
    }

    /** Whether the properties were set outside, and not by this class before a live reload. */
    private static boolean isSetByOperator() {
        var ours = System.getProperty(NAME, "").startsWith(PREFIX);
        return !ours && (System.getProperty(PATH) != null || System.getProperty(TEMPORARY_FOLDER) != null);
    }

    private static void clear(Path folder) throws IOException {
        try (var leftovers = Files.newDirectoryStream(folder)) {
            for (var leftover : leftovers) {
                Files.deleteIfExists(leftover);
            }
        }
    }

    private static void copyTo(Path file) throws IOException {
        try (var library = SQLiteJDBCLoader.class.getResourceAsStream(resource())) {
            if (library == null) {
                throw new IOException("SQLite does not support this kind of machine");
            }
            Files.copy(library, file);
        }
    }

    /** Determines the resource on Linux itself, because the driver would start a process to detect Android. */
    private static String resource() {
        var isLinux = System.getProperty("os.name").equals("Linux") && !OSInfo.isMusl();
        var folder = isLinux ? LINUX_RESOURCES + OSInfo.getArchName() : LibraryLoaderUtil.getNativeLibResourcePath();
        return folder + "/" + LibraryLoaderUtil.getNativeLibName();
    }
}
