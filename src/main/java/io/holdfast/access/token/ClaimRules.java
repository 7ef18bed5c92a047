package io.holdfast.access.token;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.access.file.TrustedIssuer;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides by the claims of a token whether the service accepts it now. Pure: the time is an argument. */
final class ClaimRules {
    /** The last second of the year 9999. */
    private static final long SECONDS_MAX = 253_402_300_799L;

    private final TrustedIssuer issuer;
    private final Duration leeway;

    ClaimRules(TrustedIssuer issuer, Duration leeway) {
        this.issuer = issuer;
        this.leeway = leeway;
    }

    sealed interface Judged {
        /** @param until the token is refused from this moment on: its expiry and the leeway */
        record Valid(Subject subject, Instant until) implements Judged {}

        record Invalid(String reason) implements Judged {}
    }

    Judged judge(JsonNode claims, Instant now) {
        if (!hasAudience(claims.path("aud"))) {
            return new Judged.Invalid("The token is not for this service: its audience (aud) is another.");
        }
        var expiry = time(claims.path("exp"));
        if (expiry.isEmpty()) {
            return new Judged.Invalid("The token must have an expiry (exp) in whole seconds.");
        }
        var until = expiry.get().plus(leeway);
        if (!now.isBefore(until)) {
            return new Judged.Invalid("The token has expired.");
        }
        for (var claim : new String[] {"nbf", "iat"}) {
            var time = time(claims.path(claim));
            if (claims.has(claim) && time.isEmpty()) {
                return new Judged.Invalid("The time '%s' of the token must be in whole seconds.".formatted(claim));
            }
            if (time.filter(start -> now.plus(leeway).isBefore(start)).isPresent()) {
                return new Judged.Invalid("The token is not valid yet: its time '%s' is ahead.".formatted(claim));
            }
            if (time.filter(start -> !start.isBefore(expiry.get())).isPresent()) {
                return new Judged.Invalid("The token must expire (exp) after its time '%s'.".formatted(claim));
            }
        }
        return subject(claims.path("sub"), until);
    }

    private boolean hasAudience(JsonNode audience) {
        if (audience.isArray()) {
            var named = false;
            for (var one : audience) {
                if (!one.isTextual()) {
                    return false;
                }
                named |= issuer.audiences().contains(one.textValue());
            }
            return named;
        }
        return audience.isTextual() && issuer.audiences().contains(audience.textValue());
    }

    private static Optional<Instant> time(JsonNode claim) {
        return Optional.of(claim)
                .filter(number -> number.isIntegralNumber() && number.canConvertToLong())
                .map(JsonNode::longValue)
                .filter(seconds -> seconds >= 0 && seconds <= SECONDS_MAX)
                .map(Instant::ofEpochSecond);
    }

    private Judged subject(JsonNode sub, Instant until) {
        if (!sub.isTextual() || sub.textValue().isEmpty()) {
            return new Judged.Invalid("The token must have a subject (sub).");
        }
        try {
            return new Judged.Valid(new Subject(issuer.name() + ":" + sub.textValue()), until);
        } catch (InvalidInputException e) {
            return new Judged.Invalid("The subject (sub) of the token must be " + e.allowed() + ".");
        }
    }
}
