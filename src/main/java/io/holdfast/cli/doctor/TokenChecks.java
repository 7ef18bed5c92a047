package io.holdfast.cli.doctor;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.Holdfast;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.token.JwtTimes;
import io.holdfast.cli.token.NoToken;
import io.holdfast.cli.token.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Checks how commands authenticate, and what the service knows of them. Never shows the token. */
final class TokenChecks {
    private static final String TOKEN = "token";
    private static final String ACCESS = "access";
    private static final int NOT_FOUND = 404;

    private final Holdfast holdfast;
    private final Findings findings;

    TokenChecks(Holdfast holdfast, Findings findings) {
        this.holdfast = holdfast;
        this.findings = findings;
    }

    /** Whether requests can be sent. If not, {@link #local()} says why. */
    boolean isUsable() {
        try {
            holdfast.tokens().current();
            return true;
        } catch (CliException unusable) {
            return false;
        }
    }

    /** Where the token comes from, and when it is valid by the local clock. */
    void local() {
        var source = holdfast.tokens();
        findings.facts().put("token_source", source instanceof NoToken ? "none" : source.name());
        try {
            source.current()
                    .ifPresentOrElse(
                            token -> validity(source.name(), token),
                            () -> findings.ok(TOKEN, "none; requests are sent without one"));
        } catch (CliException unusable) {
            findings.problem(TOKEN, unusable.getMessage());
        }
    }

    private void validity(String source, Token token) {
        var times = token.times();
        if (times.isEmpty()) {
            findings.ok(TOKEN, source + ", not a JWT");
            return;
        }
        var now = holdfast.environment().clock().instant();
        put("token_expires_at", times.get(), JwtTimes::expiresAt);
        put("token_not_before", times.get(), JwtTimes::notBefore);
        if (times.get().isExpired(now)) {
            var end = times.flatMap(JwtTimes::expiresAt).orElseThrow();
            findings.problem(TOKEN, "%s expired at %s, %s ago".formatted(source, end, words(end, now)));
        } else if (times.get().isNotYetValid(now)) {
            var begin = times.flatMap(JwtTimes::notBefore).orElseThrow();
            findings.problem(TOKEN, "%s is not valid before %s, in %s".formatted(source, begin, words(now, begin)));
        } else {
            var end = times.flatMap(JwtTimes::expiresAt)
                    .map(at -> "expires in " + words(now, at))
                    .orElse("never expires");
            findings.ok(TOKEN, "%s, a JWT that %s".formatted(source, end));
        }
    }

    private void put(String fact, JwtTimes times, Function<JwtTimes, Optional<Instant>> time) {
        time.apply(times).ifPresent(at -> findings.facts().put(fact, at.toString()));
    }

    private static String words(Instant from, Instant to) {
        return DurationText.words(Duration.between(from, to));
    }

    /** Whether the service checks tokens, and whose token this is. */
    void service(ApiClient api) {
        try {
            var answer = api.get("/v1/access/me");
            if (answer.status() == NOT_FOUND) {
                // A service without access control.
                return;
            }
            if (answer.isUnauthenticated()) {
                findings.problem(ACCESS, answer.failure().getMessage());
                return;
            }
            var subject = Column.text(answer.orFail().body().path("subject"), " ");
            if (subject.isEmpty()) {
                findings.ok(ACCESS, "the service does not ask for tokens");
            } else {
                findings.facts().put("subject", subject);
                findings.ok(ACCESS, "the service knows this client as " + subject);
            }
        } catch (CliException failure) {
            // A token that is missing here is reported as such.
            if (failure.exit() != Exit.UNAUTHENTICATED) {
                findings.problem(ACCESS, failure.getMessage());
            }
        }
    }

    /** @param mode as the service reports it; empty if it does not */
    void mode(String mode) {
        if (mode.isEmpty()) {
            return;
        }
        findings.facts().put(ACCESS, mode);
        if (mode.equals("open")) {
            findings.warning(ACCESS, "open: every client that reaches the service may do everything");
        } else {
            findings.ok(ACCESS, mode + " at the service");
        }
    }
}
