package io.holdfast.access.file;

import java.util.List;

/** Signature algorithms of tokens. All are asymmetric, so a public key cannot sign. */
public final class Algorithms {
    public static final List<String> ALL =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA");

    private Algorithms() {}
}
