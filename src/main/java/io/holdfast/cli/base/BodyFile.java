package io.holdfast.cli.base;

import com.fasterxml.jackson.databind.util.RawValue;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Output;
import io.holdfast.remote.StrictJson;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A JSON object for a request: from a file, or from the options of a command. */
public final class BodyFile {
    /** The service's limit. */
    static final int LENGTH_MAX = 64 * 1024;

    private static final String STDIN = "-";

    private BodyFile() {}

    /** @param body makes the body from the options, which exclude a file */
    public static Object or(ApiCommand command, String file, Stream<?> options, Supplier<?> body) {
        var given = options.anyMatch(Objects::nonNull);
        if (file != null && given) {
            throw command.usageError("With --file, leave the other options out");
        }
        if (file == null && !given) {
            throw command.usageError("Describe what to register with options or with --file");
        }
        return file == null ? body.get() : new RawValue(object(file, command.environment()));
    }

    /** The text of a file that has one JSON object; {@code -} is stdin. */
    public static String object(String file, CliEnvironment environment) {
        var bytes = bytes(file, environment);
        if (bytes.length > LENGTH_MAX) {
            throw new CliException(Exit.USAGE, "%s is over %d bytes.".formatted(name(file), LENGTH_MAX));
        }
        try {
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (new StrictJson().object(text).isPresent()) {
                return text;
            }
        } catch (CharacterCodingException e) {
            // JSON is UTF-8.
        }
        throw new CliException(Exit.USAGE, name(file) + " is not one JSON object.");
    }

    private static byte[] bytes(String file, CliEnvironment environment) {
        if (file.equals(STDIN)) {
            return read(environment.streams().in(), file);
        }
        try (var in = new FileInputStream(file)) {
            return read(in, file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Reads one byte more than allowed, so that the length check sees input that is too long. */
    private static byte[] read(InputStream in, String file) {
        try {
            return in.readNBytes(LENGTH_MAX + 1);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static CliException unreadable(String file, IOException cause) {
        var failure = new CliException(Exit.FAILED, name(file) + " cannot be read.");
        failure.initCause(cause);
        return failure;
    }

    private static String name(String file) {
        return file.equals(STDIN) ? "The input on stdin" : "'" + Output.oneLine(file) + "'";
    }
}
