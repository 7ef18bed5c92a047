package io.holdfast.access.file;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * An issuer of bearer tokens.
 *
 * @param name the beginning of its subjects
 * @param issuer the value of {@code iss} in its tokens, character by character
 * @param keys where its public keys are
 * @param audiences a token must be for at least one of them
 * @param algorithms that its tokens may be signed with
 * @param leeway for the times in its tokens; empty for the setting
 */
public record TrustedIssuer(
        String name,
        String issuer,
        KeySource keys,
        Set<String> audiences,
        Set<String> algorithms,
        Optional<Duration> leeway) {
    public static final Duration LEEWAY_MAX = Duration.ofMinutes(5);

    public TrustedIssuer {
        audiences = Set.copyOf(audiences);
        algorithms = Set.copyOf(algorithms);
    }

    /**
     * Where the keys are. The files are read for each fetch, because Kubernetes renews them.
     *
     * @param caFile trusted certificates; empty for those that the machine trusts
     * @param tokenFile the bearer token to show; empty for none
     */
    public record KeySource(URI jwks, Optional<Path> caFile, Optional<Path> tokenFile) {}
}
