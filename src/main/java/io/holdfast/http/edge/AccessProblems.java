package io.holdfast.http.edge;

import io.holdfast.access.model.AccessDecision.Denied;
import io.holdfast.http.wire.ProblemBody;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/** Problems of authentication and authorisation. None of them contains a part of a header or of a body. */
final class AccessProblems {
    static final String BEARER = "Bearer realm=\"holdfast\"";
    static final String BASIC = "Basic realm=\"holdfast\", charset=\"UTF-8\"";

    private AccessProblems() {}

    static ProblemBody unauthenticated(String reason) {
        return Problems.problem(401, "unauthenticated", "Unauthenticated", reason);
    }

    /** For a request that got past {@link AuthenticationFilter}, or waits for a lock while its token expires. */
    static Response unauthenticatedResponse(String reason) {
        return Problems.builder(unauthenticated(reason))
                .header(HttpHeaders.WWW_AUTHENTICATE, BEARER)
                .build();
    }

    /** @param issuer its name in the access file */
    static ProblemBody issuerUnavailable(String issuer) {
        return Problems.problem(
                503,
                "issuer-unavailable",
                "Issuer unavailable",
                "The keys of issuer '%s' cannot be fetched now. Nothing was changed: ask again.".formatted(issuer));
    }

    static ProblemBody forbidden(Denied denied) {
        return Problems.problem(403, "forbidden", "Forbidden", denied.sentence())
                .withDenial(
                        denied.subject().value(),
                        denied.permission().actionWord(),
                        denied.permission().resourceWord(),
                        denied.missing());
    }
}
