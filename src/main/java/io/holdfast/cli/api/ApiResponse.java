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
 * @param refusal of the token, if the status is 401
 */
public record ApiResponse(
        int status,
        JsonNode body,
        String server,
        Optional<Instant> date,
        long sentNanos,
        Optional<TokenRefusal> refusal) {
    private static final int SERVER_ERROR = 500;
    private static final String FORBIDDEN = "forbidden";

    public boolean isSuccess() {
        return status / 100 == 2;
    }

    /** Whether a retry may succeed. */
    public boolean isTemporary() {
        return status >= SERVER_ERROR
                || status == 429
                || refusal.filter(TokenRefusal::isTemporary).isPresent();
    }

    /** Whether the service has refused the token. Nothing was carried out. */
    public boolean isUnauthenticated() {
        return refusal.isPresent();
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
        if (refusal.isPresent()) {
            return unauthenticated(refusal.get());
        }
        if (code().isEmpty()) {
            // A proxy may have given up on a request that the service still carries out.
            return status >= SERVER_ERROR
                    ? CliException.inDoubt(notHoldfast())
                    : new CliException(Exit.UNAVAILABLE, notHoldfast());
        }
        return status >= SERVER_ERROR ? CliException.inDoubt(sentence()) : new CliException(exit(), sentence());
    }

    private String notHoldfast() {
        return "%s answered %d, but the answer is not from Holdfast.".formatted(server, status);
    }

    private CliException unauthenticated(TokenRefusal refused) {
        var sentence = (code().isEmpty() ? notHoldfast() : sentence()) + " " + refused.advice();
        return refused.isTemporary()
                ? CliException.temporary(Exit.UNAUTHENTICATED, sentence)
                : new CliException(Exit.UNAUTHENTICATED, sentence);
    }

    public String sentence() {
        var detail = Output.oneLine(body.path("detail").asText("The service answered " + status + "."));
        return code().equals(FORBIDDEN) ? detail + missingGrant(detail) : detail;
    }

    private String missingGrant(String detail) {
        var missing = Output.oneLine(body.path("missing").asText(""));
        if (missing.isEmpty() && !body.has("subject")) {
            // Not about a grant.
            return "";
        }
        var named = missing.isEmpty() || detail.contains(missing) ? "" : " Missing grant: " + missing + ".";
        return named + " 'holdfast auth whoami' shows what is granted.";
    }

    private int exit() {
        return switch (code()) {
            case "invalid-input", "body-too-large" -> Exit.USAGE;
            case "lock-not-held", "queue-full" -> Exit.REFUSED;
            case FORBIDDEN -> Exit.FORBIDDEN;
            default -> status == 409 ? Exit.REFUSED : Exit.FAILED;
        };
    }
}
