package io.holdfast.cli.base;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.token.NoToken;
import io.holdfast.cli.token.TokenCommand;
import io.holdfast.cli.token.TokenFile;
import io.holdfast.cli.token.TokenSource;
import io.holdfast.cli.token.TokenVariable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/** The settings of the token. There are no options for it: other users can read the arguments of a process. */
final class TokenSettings {
    private static final String COMMAND_TIMEOUT_VARIABLE = "HOLDFAST_TOKEN_COMMAND_TIMEOUT";
    private static final String IN_CLEAR_VARIABLE = "HOLDFAST_TOKEN_IN_CLEAR";

    private static final Duration COMMAND_TIMEOUT_DEFAULT = Duration.ofSeconds(30);

    private TokenSettings() {}

    /** @throws CliException if there is more than one source */
    static TokenSource source(CliEnvironment environment) {
        var set = Stream.of(TokenSource.VARIABLE, TokenSource.FILE_VARIABLE, TokenSource.COMMAND_VARIABLE)
                .filter(name -> environment.setting(name, null) != null)
                .toList();
        if (set.isEmpty()) {
            return new NoToken();
        }
        if (set.size() > 1) {
            throw new CliException(Exit.USAGE, "Set only one of %s.".formatted(String.join(" and ", set)));
        }
        var value = environment.setting(set.getFirst(), "");
        return switch (set.getFirst()) {
            case TokenSource.FILE_VARIABLE -> new TokenFile(Path.of(value));
            case TokenSource.COMMAND_VARIABLE ->
                new TokenCommand(value, commandTimeout(environment), environment.clock());
            default -> new TokenVariable(value);
        };
    }

    private static Duration commandTimeout(CliEnvironment environment) {
        var text = environment.setting(COMMAND_TIMEOUT_VARIABLE, null);
        try {
            var chosen = text == null ? COMMAND_TIMEOUT_DEFAULT : DurationArgument.parse(text);
            if (chosen.isZero()) {
                throw new TypeConversionException("must be longer than 0");
            }
            return chosen;
        } catch (TypeConversionException e) {
            throw new CliException(Exit.USAGE, "%s: %s.".formatted(COMMAND_TIMEOUT_VARIABLE, e.getMessage()));
        }
    }

    /** Warns that a token is sent over a network without encryption, unless the user has allowed it. */
    static void noteInClear(CliEnvironment environment, TokenSource tokens, Consumer<String> notes) {
        var allowed = environment.setting(IN_CLEAR_VARIABLE, "false");
        if (!allowed.equals("true") && !allowed.equals("false")) {
            throw new CliException(Exit.USAGE, IN_CLEAR_VARIABLE + " must be true or false.");
        }
        if (allowed.equals("false") && !(tokens instanceof NoToken)) {
            notes.accept("The token is sent over http:// without encryption: use https://, or set %s=true."
                    .formatted(IN_CLEAR_VARIABLE));
        }
    }
}
