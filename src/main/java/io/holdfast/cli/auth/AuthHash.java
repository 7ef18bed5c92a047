package io.holdfast.cli.auth;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.access.token.Hashes;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "hash",
        description = {
            "Print the SHA-256 of a token, and its line for the access file.",
            "The token is read from stdin, or at a terminal without echo. It is never an",
            "argument, because all users of a machine can see the arguments.",
        },
        footer = "  holdfast auth hash --generate --name ci")
final class AuthHash extends ApiCommand {
    private static final int RANDOM_BYTES = 32;
    private static final int LENGTH_MIN = 16;
    private static final int LENGTH_MAX = 8192;

    /** What can be sent in {@code Authorization: Bearer}. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    @Option(names = "--generate", description = "Make a random token of 256 bits, and print it too")
    private boolean generate;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "NAME",
            description = "The name of the token. Default: NAME, to be replaced")
    private String name;

    @Override
    public Integer call() {
        if (!NAME.matcher(name).matches()) {
            throw usageError("--name must be 1 to 64 characters of A-Z a-z 0-9 . _ -");
        }
        var token = generate ? random() : read();
        var sha256 = Hashes.sha256(token);
        var line = "- {name: \"%s\", sha256: \"%s\"}".formatted(name, sha256);
        var result = JsonNodeFactory.instance.objectNode();
        if (generate) {
            result.put("token", token);
        }
        result.put("sha256", sha256).put("yaml", line);
        output().object(result);
        if (generate && output().format() == Format.TABLE) {
            holdfast().note("Keep the token now: it is stored nowhere, and the hash does not give it back.");
        }
        return Exit.DONE;
    }

    private static String random() {
        var bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private String read() {
        // One line end at the end belongs to echo and to editors, not to the token.
        var token = (environment().streams().terminals().in() ? typed() : stdin()).replaceFirst("\r?\n\\z", "");
        if (token.length() > LENGTH_MAX || !TOKEN.matcher(token).matches()) {
            throw new CliException(
                    Exit.USAGE,
                    "A token has 1 to %d characters of A-Z a-z 0-9 . _ ~ + / -, with = at the end only."
                            .formatted(LENGTH_MAX));
        }
        if (token.length() < LENGTH_MIN) {
            holdfast().note("Warning: a token this short can be guessed from its hash; --generate makes a good one.");
        }
        return token;
    }

    private String typed() {
        var console = System.console();
        var typed = console == null ? null : console.readPassword("Token: ");
        if (typed == null) {
            throw new CliException(Exit.USAGE, "There is no token: pipe it to this command.");
        }
        return new String(typed);
    }

    private String stdin() {
        try {
            return new String(environment().streams().in().readNBytes(LENGTH_MAX + 3), StandardCharsets.UTF_8);
        } catch (IOException e) {
            var failure = new CliException(Exit.FAILED, "The token on stdin cannot be read.");
            failure.initCause(e);
            throw failure;
        }
    }
}
