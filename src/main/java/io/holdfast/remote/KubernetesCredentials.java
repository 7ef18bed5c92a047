package io.holdfast.remote;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Token and CA certificates for the Kubernetes API. Read for every call, because Kubernetes renews both. */
record KubernetesCredentials(Optional<Path> tokenFile, Optional<Path> caFile) {
    private static final String TOKEN_KEY = "holdfast.kubernetes.token-file";
    private static final String CA_KEY = "holdfast.kubernetes.ca-file";
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]+");

    Optional<String> token() {
        return tokenFile.map(file -> {
            var token = Authorities.read(TOKEN_KEY, file).strip();
            // The HTTP client would put an invalid token into its error message.
            if (!TOKEN.matcher(token).matches()) {
                throw new UnusableSettingException(TOKEN_KEY + " holds no token");
            }
            return token;
        });
    }

    Optional<Authorities> authorities() {
        return caFile.map(file -> Authorities.in(CA_KEY, file));
    }
}
