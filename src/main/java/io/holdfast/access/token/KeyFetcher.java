package io.holdfast.access.token;

import io.holdfast.access.file.TrustedIssuer.KeySource;
import io.smallrye.mutiny.Uni;

/** Fetches the keys of an issuer. */
public interface KeyFetcher {
    /** Never fails, ends within a timeout, and blocks no event loop. */
    Uni<Fetched> fetch(KeySource source);

    sealed interface Fetched {
        record Keys(KeySet set) implements Fetched {}

        /** @param reason for logs; contains no secret */
        record Failed(String reason) implements Fetched {}
    }
}
