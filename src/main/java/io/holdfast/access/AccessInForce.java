package io.holdfast.access;

import io.holdfast.access.AccessStatus.IssuerStatus;
import io.holdfast.access.file.AccessFile;
import io.holdfast.access.file.TrustedIssuer;
import io.holdfast.access.model.AccessPolicy;
import io.holdfast.access.token.Authenticator;
import io.holdfast.access.token.IssuerKeys;
import io.holdfast.access.token.TokenLimits;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** One version of the access file in use. Tokens that it has verified are forgotten with it. */
record AccessInForce(AccessPolicy policy, List<IssuerKeys> issuers, Authenticator authenticator, Instant since) {
    static final AccessFile NOTHING = new AccessFile(List.of(), List.of(), new AccessPolicy(List.of()));

    /**
     * @param before keeps its keys for issuers that are unchanged
     * @param keys creates the key cache of a new issuer
     */
    static AccessInForce of(
            AccessFile file,
            Optional<AccessInForce> before,
            Function<TrustedIssuer, IssuerKeys> keys,
            TokenLimits limits,
            InstantSource clock) {
        var issuers = new ArrayList<IssuerKeys>();
        for (var issuer : file.issuers()) {
            issuers.add(before.flatMap(version -> version.keysOf(issuer)).orElseGet(() -> keys.apply(issuer)));
        }
        return new AccessInForce(
                file.policy(), List.copyOf(issuers), new Authenticator(file, issuers, limits, clock), clock.instant());
    }

    private Optional<IssuerKeys> keysOf(TrustedIssuer issuer) {
        return issuers.stream().filter(one -> one.issuer().equals(issuer)).findFirst();
    }

    /** Fetches the keys that are old or missing. Returns at once. */
    void refreshKeys() {
        issuers.forEach(IssuerKeys::refreshIfDue);
    }

    List<IssuerStatus> issuerStatus() {
        return issuers.stream()
                .map(one -> {
                    var status = one.status();
                    return new IssuerStatus(one.issuer().name(), status.keys(), status.fetchedAt(), status.problem());
                })
                .toList();
    }
}
