package io.holdfast.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Output;
import java.time.Instant;
import java.util.Optional;

/**
 * What the service answered.
 *
 * @param server who, for sentences
 * @param date by the server's clock, to the second
 * @param askedNanos when it was asked, by {@link System#nanoTime()}
 */
public record ApiResponse(int status, JsonNode body, String server, Optional<Instant> date, long askedNanos) {
    private static final int SERVER_ERROR = 500;

    public boolean isGood() {
        return status / 100 == 2;
    }

    /** Worth asking again: nobody has decided anything, or not for long. */
    public boolean isPassing() {
        return status >= SERVER_ERROR || status == 429;
    }

    public String code() {
        return body.path("code").asText("");
    }

    public ApiResponse orFail() {
        if (!isGood()) {
            throw failure();
        }
        return this;
    }

    public CliException failure() {
        if (code().isEmpty()) {
            var sentence = "%s answered %d, and not as Holdfast does.".formatted(server, status);
            // What stands in between may have given up on a service that goes on.
            return status >= SERVER_ERROR
                    ? CliException.inDoubt(sentence)
                    : new CliException(Exit.UNAVAILABLE, sentence);
        }
        return status >= SERVER_ERROR ? CliException.inDoubt(sentence()) : new CliException(exit(), sentence());
    }

    public String sentence() {
        return Output.oneLine(body.path("detail").asText("The service answered " + status + "."));
    }

    private int exit() {
        return switch (code()) {
            case "invalid-input", "body-too-large" -> Exit.USAGE;
            case "lock-not-held", "queue-full" -> Exit.REFUSED;
            default -> status == 409 ? Exit.REFUSED : Exit.FAILED;
        };
    }
}
