package io.holdfast.probe;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Probe settings, chosen by a test. */
record ProbeSettings(Duration timeout, int parallelMax, Optional<URI> apiGatewayUrl, Kubernetes kubernetes)
        implements ProbeConfig {
    record Kubernetes(URI url, Optional<Path> tokenFile, Optional<Path> caFile) {}

    /** Patient with a busy machine, for tests that do not wait for a timeout. */
    static final ProbeSettings PATIENT = new ProbeSettings(
            Duration.ofSeconds(20),
            256,
            Optional.empty(),
            new Kubernetes(URI.create("http://localhost:1"), Optional.empty(), Optional.empty()));

    ProbeSettings withTimeout(Duration given) {
        return new ProbeSettings(given, parallelMax, apiGatewayUrl, kubernetes);
    }

    ProbeSettings withParallelMax(int given) {
        return new ProbeSettings(timeout, given, apiGatewayUrl, kubernetes);
    }

    ProbeSettings withGateway(URI given) {
        return new ProbeSettings(timeout, parallelMax, Optional.of(given), kubernetes);
    }

    ProbeSettings withKubernetes(Kubernetes given) {
        return new ProbeSettings(timeout, parallelMax, apiGatewayUrl, given);
    }

    @Override
    public Duration confirmationPause() {
        return Duration.ofMillis(1);
    }

    @Override
    public URI kubernetesUrl() {
        return kubernetes.url();
    }

    @Override
    public Optional<Path> kubernetesTokenFile() {
        return kubernetes.tokenFile();
    }

    @Override
    public Optional<Path> kubernetesCaFile() {
        return kubernetes.caFile();
    }
}
