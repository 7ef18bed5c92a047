package io.holdfast.access.file;

import io.holdfast.access.model.AccessPolicy;
import java.util.List;

/** A valid access file. */
public record AccessFile(List<TrustedIssuer> issuers, List<StaticToken> tokens, AccessPolicy policy) {
    public AccessFile {
        issuers = List.copyOf(issuers);
        tokens = List.copyOf(tokens);
    }
}
