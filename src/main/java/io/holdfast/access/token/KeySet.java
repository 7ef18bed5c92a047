package io.holdfast.access.token;

import io.holdfast.remote.StrictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The public keys of an issuer at one time. */
public final class KeySet {
    static final int KEYS_MAX = 100;

    private final List<VerificationKey> keys;

    private KeySet(List<VerificationKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** Keys that cannot be used here are left out. Empty if the text is no JSON Web Key Set. */
    static Optional<KeySet> parse(String text) {
        return new StrictJson()
                .object(text)
                .map(set -> set.path("keys"))
                .filter(keys -> keys.isArray() && keys.size() <= KEYS_MAX)
                .map(keys -> {
                    var usable = new ArrayList<VerificationKey>();
                    keys.forEach(jwk -> VerificationKey.of(jwk).ifPresent(usable::add));
                    return new KeySet(usable);
                });
    }

    /** The keys with this id that fit the algorithm. Without an id it must be clear which key is meant. */
    List<VerificationKey> candidates(Optional<String> kid, String algorithm) {
        var fitting = keys.stream()
                .filter(key -> kid.isEmpty() || key.kid().equals(kid))
                .filter(key -> key.fits(algorithm))
                .toList();
        return kid.isEmpty() && fitting.size() > 1 ? List.of() : fitting;
    }

    boolean has(String kid) {
        return keys.stream().anyMatch(key -> key.kid().filter(kid::equals).isPresent());
    }

    boolean contains(String fingerprint) {
        return keys.stream().anyMatch(key -> key.fingerprint().equals(fingerprint));
    }

    public int size() {
        return keys.size();
    }
}
