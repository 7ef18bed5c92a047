package io.holdfast.remote;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** How the Kubernetes API is reached, chosen by a test. */
public record KubernetesSettings(URI url, Optional<Path> tokenFile, Optional<Path> caFile) implements KubernetesConfig {
    /** Over plain http, with files that nobody may miss. */
    public static KubernetesSettings plain(URI url) {
        return new KubernetesSettings(
                url, Optional.of(Path.of("absent", "token")), Optional.of(Path.of("absent", "ca.crt")));
    }
}
