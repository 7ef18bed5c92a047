package io.holdfast.http.edge;

import io.holdfast.http.wire.ProblemBody;
import io.holdfast.kernel.InvalidInputException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.regex.Pattern;

/** Problem responses that all capabilities share. Codes are stable. */
public final class Problems {
    public static final long RETRY_SECONDS = 1;

    private static final int PATH_ECHO_MAX = 512;
    private static final Pattern PATH_WITH_SLASHES =
            Pattern.compile("(?<start>/v1/(locks|apps|databases|clusters|services)/)(?<name>[^/]+/.*?)"
                    + "(?<action>(/(renew|heartbeat|hold|start|stop|decisions|jobs|deploy|result|status|history))?)");

    private Problems() {}

    public static Response invalidInput(InvalidInputException e) {
        return answer(invalidInputBody(e));
    }

    static ProblemBody invalidInputBody(InvalidInputException e) {
        return problem(400, "invalid-input", "Invalid input", e.getMessage()).withField(e.field(), e.allowed());
    }

    /** @param path as it was sent, still encoded */
    static Response nothingAt(String path) {
        return http(404, "not-found", "Not found", "There is nothing at this path." + slashHint(path));
    }

    /** Tells the caller to encode a slash in a name. */
    private static String slashHint(String path) {
        var parts = PATH_WITH_SLASHES.matcher(path);
        if (path.length() > PATH_ECHO_MAX || !parts.matches()) {
            return "";
        }
        var encoded = parts.group("name").replace("/", "%2F");
        return " If the name has a slash, write it as %%2F: %s%s%s."
                .formatted(parts.group("start"), encoded, parts.group("action"));
    }

    static Response storeUnavailable(String why) {
        return unavailable(why + " A change may or may not have happened: ask again, for a lock with the same lock_id,"
                + " for a job with the same idempotency_key.");
    }

    /** For a request that changes nothing. */
    static Response storeUnreadable(String why) {
        return unavailable(why + " This was a read and has changed nothing: ask again.");
    }

    private static Response unavailable(String detail) {
        return builder(problem(503, "store-unavailable", "Store unavailable", detail))
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .build();
    }

    static ProblemBody bodyTooLarge(long bodyMax) {
        return problem(413, "body-too-large", "Body too large", "A body may have at most %d bytes.".formatted(bodyMax));
    }

    /** For errors of HTTP: path, method, media type, size. */
    static Response http(int status, String code, String title, String detail) {
        return answer(problem(status, code, title, detail));
    }

    public static ProblemBody problem(int status, String code, String title, String detail) {
        return ProblemBody.of(status, code, title, detail);
    }

    public static Response answer(ProblemBody problem) {
        return builder(problem).build();
    }

    public static Response.ResponseBuilder builder(ProblemBody problem) {
        return Response.status(problem.status()).type(ProblemBody.MEDIA_TYPE).entity(problem);
    }
}
