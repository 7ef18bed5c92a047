package io.holdfast.cli.token;

import java.util.Optional;

/** Where the token comes from. Thread-safe. */
public sealed interface TokenSource permits NoToken, TokenVariable, TokenFile, TokenCommand {
    String VARIABLE = "HOLDFAST_TOKEN";
    String FILE_VARIABLE = "HOLDFAST_TOKEN_FILE";
    String COMMAND_VARIABLE = "HOLDFAST_TOKEN_COMMAND";

    /** The setting; for a file also its path. Never the token or the command. */
    String name();

    /** Whether there may be another token later. Then the other methods may block. */
    boolean isRenewable();

    /**
     * The token for the next request; empty if none is to be sent.
     *
     * @throws io.holdfast.cli.output.CliException if there is no token. Not once there was one: then the last one is
     *     returned, and the service decides.
     */
    Optional<Token> current();

    /** Looks for another token, after the service has refused this one. */
    Renewal renewed(Token refused);

    sealed interface Renewal {
        record Replaced(Token token) implements Renewal {}

        record Unchanged() implements Renewal {}

        /** @param sentence says why there is no other token */
        record Failed(String sentence) implements Renewal {}
    }
}
