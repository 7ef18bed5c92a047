package io.holdfast.access.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/**
 * A file to which lines are appended. When the file is renamed or removed, as logrotate does, the next line goes to a new one.
 * Blocks. Not thread-safe.
 */
final class AuditFile implements AutoCloseable {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;
    private FileChannel channel;
    private Object fileKey;
    /** Whether the file ends within a line, after a write that failed half-way. */
    private boolean endsWithinLine;

    AuditFile(Path path) {
        this.path = path;
    }

    /** @throws IOException if the line was not written, or only a part of it */
    void append(String line) throws IOException {
        reopenIfReplaced();
        var bytes = ByteBuffer.wrap(((endsWithinLine ? "\n" : "") + line + "\n").getBytes(StandardCharsets.US_ASCII));
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            endsWithinLine = false;
        } catch (IOException e) {
            // Opening it again shows how the file ends.
            close();
            throw e;
        }
    }

    private void reopenIfReplaced() throws IOException {
        if (channel != null && Objects.equals(fileKey, currentKey())) {
            return;
        }
        close();
        channel = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                OWNER_ONLY);
        fileKey = currentKey();
        endsWithinLine = !endsWithNewline();
    }

    /** @return null if there is no file */
    private Object currentKey() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException gone) {
            return null;
        }
    }

    private boolean endsWithNewline() throws IOException {
        try (var reader = FileChannel.open(path, StandardOpenOption.READ)) {
            var last = ByteBuffer.allocate(1);
            return reader.size() == 0 || reader.read(last, reader.size() - 1) == 1 && last.get(0) == '\n';
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // The lines before were written; the file is opened again.
        }
        channel = null;
    }
}
