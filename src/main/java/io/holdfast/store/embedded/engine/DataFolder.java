package io.holdfast.store.embedded.engine;

import io.holdfast.kernel.CannotStartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * The folder of the embedded store, for one process at a time. The kernel holds the file lock and releases it when the
 * process ends, also after a crash.
 */
final class DataFolder implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    static DataFolder open(Path path) {
        try {
            Files.createDirectories(path);
            var channel = FileChannel.open(
                    path.resolve("holdfast.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!tryLock(channel)) {
                channel.close();
                throw new IllegalStateException(
                        "The data folder " + path.toAbsolutePath().normalize()
                                + " is in use by another Holdfast process. Stop that one, or set HOLDFAST_DATA_DIR to a folder"
                                + " of its own.");
            }
            var folder = new DataFolder(path, channel);
            SqliteLibrary.placeIn(path.resolve("lib"));
            return folder;
        } catch (IOException e) {
            throw new CannotStartException(
                    "The data folder " + path.toAbsolutePath().normalize() + " cannot be used: " + why(e, path)
                            + ". Set HOLDFAST_DATA_DIR to a folder that this process may write to.",
                    e);
        }
    }

    /** The reason as a phrase. For some failures Java has an exception type without a message. */
    private static String why(IOException failure, Path path) {
        return switch (failure) {
            case FileAlreadyExistsException e -> "it is not a folder";
            case AccessDeniedException e -> "this user (" + System.getProperty("user.name") + ") may not write to it";
            case NoSuchFileException e -> "it cannot be created";
            case FileSystemException e
            when e.getReason() != null && e.getFile() != null ->
                isBelow(e.getFile(), path) ? e.getReason() : e.getReason() + " (" + e.getFile() + ")";
            default -> String.valueOf(failure.getMessage());
        };
    }

    private static boolean isBelow(String file, Path path) {
        return Path.of(file).toAbsolutePath().startsWith(path.toAbsolutePath());
    }

    Path database() {
        return path.resolve("holdfast.db");
    }

    /** Identifies the file. Empty if there is no file, or if the file system has no file identifiers. */
    Optional<Object> databaseIdentity() {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(database(), BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException heldInThisProcess) {
            return false;
        }
    }
}
