package io.holdfast.cli.token;

import java.util.Optional;

/** Requests are sent without a token. */
public record NoToken() implements TokenSource {
    @Override
    public String name() {
        return "";
    }

    @Override
    public boolean isRenewable() {
        return false;
    }

    @Override
    public Optional<Token> current() {
        return Optional.empty();
    }

    @Override
    public Renewal renewed(Token refused) {
        return new Renewal.Unchanged();
    }
}
