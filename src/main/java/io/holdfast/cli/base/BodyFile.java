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

/** A request's body that somebody else has written. */
public final class BodyFile {
    /** What the service takes. */
    static final int LENGTH_MAX = 64 * 1024;

    private static final String STDIN = "-";

    private BodyFile() {}

    /** The body of the file if there is one, sent as it is, else that of the flags: never something of both. */
    public static Object or(ApiCommand client, String file, Stream<?> flags, Supplier<?> body) {
        var given = flags.anyMatch(Objects::nonNull);
        if (file != null && given) {
            throw client.usageError("--file says all of it; leave the other options out");
        }
        if (file == null && !given) {
            throw client.usageError("Say what to register, by options or with --file");
        }
        return file == null ? body.get() : new RawValue(object(file, client.environment()));
    }

    private static String object(String file, CliEnvironment environment) {
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
            // Bytes that are no text are no JSON.
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

    /** One byte more than there may be tells that there are too many; a pipe may have no end. */
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
        return file.equals(STDIN) ? "What came on stdin" : "'" + Output.oneLine(file) + "'";
    }
}
