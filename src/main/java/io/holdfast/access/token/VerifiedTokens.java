package io.holdfast.access.token;

import io.holdfast.access.model.Caller;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Tokens whose signature was verified, by their SHA-256. The least recently used one is dropped. Thread-safe. */
final class VerifiedTokens {
    private final Map<String, Verified> entries;

    VerifiedTokens(int max) {
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Verified> eldest) {
                return size() > max;
            }
        };
    }

    /** @param key the fingerprint of the key that has signed the token */
    record Verified(Caller caller, IssuerKeys issuer, String key) {
        private boolean isValid(Instant now) {
            return caller.expiresAt().filter(now::isBefore).isPresent() && issuer.trusts(key);
        }
    }

    /** Empty if the token has expired, or if its issuer has removed the key. */
    synchronized Optional<Caller> get(String sha256, Instant now) {
        var found = Optional.ofNullable(entries.get(sha256));
        var valid = found.filter(entry -> entry.isValid(now));
        if (found.isPresent() && valid.isEmpty()) {
            entries.remove(sha256);
        }
        return valid.map(Verified::caller);
    }

    synchronized void put(String sha256, Verified entry) {
        entries.put(sha256, entry);
    }

    synchronized int size() {
        return entries.size();
    }
}
