package io.holdfast.access.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a file has at one moment. */
sealed interface FileContent {
    record Present(String text) implements FileContent {}

    /** @param problem completes a sentence after the name of the file */
    record Unreadable(String problem) implements FileContent {}

    /** Blocks. */
    static FileContent of(Path file, int bytesMax) {
        // To open a pipe would wait for its writer.
        if (!Files.isRegularFile(file)) {
            return new Unreadable(Files.exists(file) ? "is not a regular file" : "does not exist");
        }
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(bytesMax + 1);
            return bytes.length > bytesMax
                    ? new Unreadable("is longer than " + bytesMax + " bytes")
                    : new Present(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString());
        } catch (CharacterCodingException e) {
            return new Unreadable("is not UTF-8");
        } catch (IOException e) {
            return new Unreadable("cannot be read");
        }
    }
}
