package io.holdfast.cli.token;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import java.util.Optional;

/** The token in {@code HOLDFAST_TOKEN}. It stays the same while the command runs. */
public final class TokenVariable implements TokenSource {
    private final Token token;

    public TokenVariable(String value) {
        token = Token.parse(value)
                .orElseThrow(() -> new CliException(
                        Exit.USAGE, VARIABLE + " must be " + Token.ALLOWED + ", and without the word Bearer."));
    }

    @Override
    public String name() {
        return VARIABLE;
    }

    @Override
    public boolean isRenewable() {
        return false;
    }

    @Override
    public Optional<Token> current() {
        return Optional.of(token);
    }

    @Override
    public Renewal renewed(Token refused) {
        return new Renewal.Unchanged();
    }
}
