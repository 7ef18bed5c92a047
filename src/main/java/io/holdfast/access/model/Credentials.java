package io.holdfast.access.model;

import java.util.List;

/** What a request shows about its sender, not verified yet. */
public sealed interface Credentials {
    /** Neither an Authorization header nor a client certificate. */
    record None() implements Credentials {}

    /** From {@code Authorization: Bearer}, or the password of {@code Authorization: Basic}. */
    record Token(String secret) implements Credentials {
        @Override
        public String toString() {
            return "Token[…]";
        }
    }

    /** @param names the subject alternative names, in the order of the certificate, which TLS has verified */
    record Certificate(List<String> names) implements Credentials {
        public Certificate {
            names = List.copyOf(names);
        }
    }

    /** @param reason a sentence for the answer, without any part of the header */
    record Malformed(String reason) implements Credentials {}

    /**
     * A token goes before a certificate.
     *
     * @param authorization the values of all Authorization headers
     * @param certificateNames empty without a client certificate
     */
    static Credentials of(List<String> authorization, List<String> certificateNames) {
        if (!authorization.isEmpty()) {
            return AuthorizationHeader.parse(authorization);
        }
        return certificateNames.isEmpty() ? new None() : new Certificate(certificateNames);
    }
}
