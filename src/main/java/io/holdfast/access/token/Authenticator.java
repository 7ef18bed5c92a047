package io.holdfast.access.token;

import io.holdfast.access.file.AccessFile;
import io.holdfast.access.file.StaticToken;
import io.holdfast.access.model.AuthOutcome;
import io.holdfast.access.model.AuthOutcome.Authenticated;
import io.holdfast.access.model.AuthOutcome.Missing;
import io.holdfast.access.model.AuthOutcome.Refused;
import io.holdfast.access.model.AuthOutcome.Unavailable;
import io.holdfast.access.model.Caller;
import io.holdfast.access.model.Credentials;
import io.holdfast.access.token.ClaimRules.Judged;
import io.holdfast.access.token.IssuerKeys.Found;
import io.holdfast.access.token.TokenParser.Parsed;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Subject;
import io.smallrye.mutiny.Uni;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Authenticates requests by one version of the access file. Never fails. Thread-safe and non-blocking. */
public final class Authenticator {
    private static final String TOKEN = "token";
    private static final String CERTIFICATE = "cert";

    private final Map<String, IssuerKeys> issuers;
    private final StaticTokens tokens;
    private final Origins origins;
    private final TokenLimits limits;
    private final InstantSource clock;
    private final VerifiedTokens verified;
    private final TokenParser parser = new TokenParser();

    /** @param issuers those of the file */
    public Authenticator(AccessFile file, List<IssuerKeys> issuers, TokenLimits limits, InstantSource clock) {
        this.issuers =
                issuers.stream().collect(Collectors.toMap(one -> one.issuer().issuer(), Function.identity()));
        this.tokens = new StaticTokens(file.tokens());
        this.origins = new Origins(file, issuers);
        this.limits = limits;
        this.clock = clock;
        this.verified = new VerifiedTokens(limits.cachedMax());
    }

    public Uni<AuthOutcome> authenticate(Credentials credentials) {
        return switch (credentials) {
            case Credentials.None none -> answer(new Missing());
            case Credentials.Malformed malformed -> refused(malformed.reason());
            case Credentials.Certificate certificate -> answer(certificate(certificate.names()));
            case Credentials.Token token -> token(token.secret());
        };
    }

    /** Why the caller is not accepted any more. */
    public Optional<Refused> ended(Caller caller) {
        if (caller.expiresAt().filter(end -> !clock.instant().isBefore(end)).isPresent()) {
            return Optional.of(new Refused("The token has expired."));
        }
        return origins.ended(caller.origin()).map(Refused::new);
    }

    private static AuthOutcome certificate(List<String> names) {
        if (names.isEmpty()) {
            return new Refused("The client certificate has no subject alternative name.");
        }
        try {
            var subject = new Subject(CERTIFICATE + ":" + names.getFirst());
            return new Authenticated(new Caller(subject, CERTIFICATE, Optional.empty(), Origins.CERTIFICATE));
        } catch (InvalidInputException e) {
            return new Refused("The subject alternative name of the client certificate must be " + e.allowed() + ".");
        }
    }

    private Uni<AuthOutcome> token(String secret) {
        if (secret.length() > limits.lengthMax()) {
            return refused("The token is longer than " + limits.lengthMax() + " characters.");
        }
        var sha256 = Hashes.sha256(secret);
        var known = verified.get(sha256, clock.instant())
                .or(() -> tokens.match(sha256).map(Authenticator::caller));
        if (known.isPresent()) {
            return answer(new Authenticated(known.get()));
        }
        if (secret.indexOf('.') < 0) {
            return refused("The token is not known.");
        }
        return switch (parser.parse(secret)) {
            case Parsed.Unreadable unreadable -> refused(unreadable.reason());
            case Parsed.Signed signed -> signed(secret, sha256, signed);
        };
    }

    private static Caller caller(StaticToken token) {
        return new Caller(new Subject(TOKEN + ":" + token.name()), TOKEN, Optional.empty(), Origins.of(token));
    }

    private Uni<AuthOutcome> signed(String secret, String sha256, Parsed.Signed token) {
        var keys = Optional.ofNullable(token.claims().path("iss").textValue()).map(issuers::get);
        if (keys.isEmpty()) {
            return refused("The issuer (iss) of the token is not in the access file.");
        }
        var issuer = keys.get().issuer();
        if (!issuer.algorithms().contains(token.algorithm())) {
            return refused("The algorithm (alg) of the token is not allowed for its issuer.");
        }
        var rules = new ClaimRules(issuer, issuer.leeway().orElse(limits.leeway()));
        return switch (rules.judge(token.claims(), clock.instant())) {
            case Judged.Invalid invalid -> refused(invalid.reason());
            case Judged.Valid valid ->
                keys.get().find(token.kid(), token.algorithm()).map(found -> switch (found) {
                    case Found.Unavailable unavailable -> new Unavailable(issuer.name());
                    case Found.None none ->
                        new Refused("The key of the token (kid, alg) is none of the keys of its issuer.");
                    case Found.Keys candidates ->
                        Signatures.signer(secret, token.algorithm(), candidates.candidates())
                                .map(key -> admitted(keys.get(), valid, key, sha256))
                                .orElseGet(() -> new Refused("The signature of the token is not valid."));
                });
        };
    }

    private AuthOutcome admitted(IssuerKeys keys, Judged.Valid valid, VerificationKey key, String sha256) {
        var caller = new Caller(
                valid.subject(),
                keys.issuer().name(),
                Optional.of(valid.until()),
                Origins.of(keys.issuer(), key.fingerprint()));
        // The fetch of the keys may have taken long.
        if (!clock.instant().isBefore(valid.until())) {
            return new Refused("The token has expired.");
        }
        verified.put(sha256, new VerifiedTokens.Verified(caller, keys, key.fingerprint()));
        return new Authenticated(caller);
    }

    private static Uni<AuthOutcome> refused(String reason) {
        return answer(new Refused(reason));
    }

    private static Uni<AuthOutcome> answer(AuthOutcome outcome) {
        return Uni.createFrom().item(outcome);
    }
}
