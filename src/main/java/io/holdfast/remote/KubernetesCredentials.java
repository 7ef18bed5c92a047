package io.holdfast.remote;

import java.nio.file.Path;
import java.util.Optional;

/** Token and CA certificates for the Kubernetes API. Read for every call, because Kubernetes renews both. */
record KubernetesCredentials(Optional<Path> tokenFile, Optional<Path> caFile) {
    private static final String TOKEN_KEY = "holdfast.kubernetes.token-file";
    private static final String CA_KEY = "holdfast.kubernetes.ca-file";

    Optional<String> token() {
        return tokenFile.map(file -> new BearerTokenFile(TOKEN_KEY, file).token());
    }

    Optional<Authorities> authorities() {
        return caFile.map(file -> Authorities.in(CA_KEY, file));
    }
}
