package io.holdfast.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;
import org.sqlite.util.OSInfo;

/**
 * SQLite's own code, which its driver loads from a file. Left to itself the driver would unpack it into the temporary
 * folder and read it again byte by byte, at every start.
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
     * Puts it into a folder that may be written to, for the driver to find there. What a killed process left behind is
     * cleared away. Where the operator has named a place, for a folder that nothing may be run from, that one stays.
     */
    static synchronized void placeIn(Path folder) throws IOException {
        if (placed || isNamed()) {
            return;
        }
        Files.createDirectories(folder);
        clear(folder);
        // A new name: a JVM takes a file only once, and after a live reload it is asked for a second time.
        var name = PREFIX + UUID.randomUUID() + ".so";
        copyTo(folder.resolve(name));
        System.setProperty(PATH, folder.toAbsolutePath().toString());
        System.setProperty(NAME, name);
        // The driver looks for leftovers of its own there.
        System.setProperty(TEMPORARY_FOLDER, folder.toAbsolutePath().toString());
        placed = true;
    }

    /** By whoever started the JVM, and not by an earlier life of ours in it. */
    private static boolean isNamed() {
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
                throw new IOException("there is no SQLite for this kind of machine");
            }
            Files.copy(library, file);
        }
    }

    /** The driver's own answer starts a process, to find out whether this is a telephone. */
    private static String resource() {
        var isLinux = System.getProperty("os.name").equals("Linux") && !OSInfo.isMusl();
        var folder = isLinux ? LINUX_RESOURCES + OSInfo.getArchName() : LibraryLoaderUtil.getNativeLibResourcePath();
        return folder + "/" + LibraryLoaderUtil.getNativeLibName();
    }
}
