package io.holdfast.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Output;
import java.time.Instant;
import java.util.Optional;

/**
 * A response of the service.
 *
 * @param server for error sentences
 * @param date by the server's clock, to the second
 * @param sentNanos when the request was sent, by {@link System#nanoTime()}
 */
public record ApiResponse(int status, JsonNode body, String server, Optional<Instant> date, long sentNanos) {
    private static final int SERVER_ERROR = 500;

    public boolean isSuccess() {
        return status / 100 == 2;
    }

    /** Whether a retry may succeed. */
    public boolean isTemporary() {
        return status >= SERVER_ERROR || status == 429;
    }

    public String code() {
        return body.path("code").asText("");
    }

    public ApiResponse orFail() {
        if (!isSuccess()) {
            throw failure();
        }
        return this;
    }

    public CliException failure() {
        if (code().isEmpty()) {
            var sentence = "%s answered %d, but the answer is not from Holdfast.".formatted(server, status);
            // A proxy may have given up on a request that the service still carries out.
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
