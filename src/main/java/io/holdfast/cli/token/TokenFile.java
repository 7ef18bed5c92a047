package io.holdfast.cli.token;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Output;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The token in a file, read for every request, because the file may be replaced at any time. */
public final class TokenFile implements TokenSource {
    /** More than a token and the white space around it. */
    private static final int BYTES_MAX = 2 * Token.LENGTH_MAX;

    private final Path file;
    private volatile Token last;

    public TokenFile(Path file) {
        this.file = file;
    }

    @Override
    public String name() {
        return "%s (%s)".formatted(FILE_VARIABLE, Output.oneLine(file.toString()));
    }

    @Override
    public boolean isRenewable() {
        return true;
    }

    @Override
    public Optional<Token> current() {
        try {
            last = read();
        } catch (CliException unusable) {
            // The file may be read while it is being written.
            if (last == null) {
                throw unusable;
            }
        }
        return Optional.of(last);
    }

    @Override
    public Renewal renewed(Token refused) {
        try {
            var now = read();
            last = now;
            return now.equals(refused) ? new Renewal.Unchanged() : new Renewal.Replaced(now);
        } catch (CliException unusable) {
            return new Renewal.Failed(unusable.getMessage());
        }
    }

    private Token read() {
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(BYTES_MAX);
        } catch (NoSuchFileException e) {
            throw unusable("does not exist");
        } catch (AccessDeniedException e) {
            throw unusable("cannot be read: permission denied");
        } catch (IOException e) {
            throw unusable("cannot be read");
        }
        // Other than UTF-8, this cannot turn bytes that are not ASCII into a token.
        var text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (text.isBlank()) {
            throw unusable("is empty");
        }
        return Token.parse(text).orElseThrow(() -> unusable("must contain " + Token.ALLOWED));
    }

    private CliException unusable(String why) {
        return new CliException(Exit.UNAUTHENTICATED, "%s %s.".formatted(name(), why));
    }
}
