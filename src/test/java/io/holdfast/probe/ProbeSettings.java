package io.holdfast.probe;

import io.holdfast.remote.KubernetesSettings;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Probe settings, chosen by a test. */
public record ProbeSettings(Duration timeout, int parallelMax, Optional<URI> apiGatewayUrl) implements ProbeConfig {
    /** Patient with a busy machine, for tests that do not wait for a timeout. */
    public static final ProbeSettings PATIENT = new ProbeSettings(Duration.ofSeconds(60), 256, Optional.empty());

    private static final Vertx VERTX = Vertx.vertx();

    public ProbeSettings withTimeout(Duration given) {
        return new ProbeSettings(given, parallelMax, apiGatewayUrl);
    }

    ProbeSettings withParallelMax(int given) {
        return new ProbeSettings(timeout, given, apiGatewayUrl);
    }

    public ProbeSettings withGateway(URI given) {
        return new ProbeSettings(timeout, parallelMax, Optional.of(given));
    }

    @Override
    public Duration runMax() {
        return Duration.ofMinutes(10);
    }

    @Override
    public Duration confirmationPause() {
        return Duration.ofMillis(1);
    }

    public Probes probes() {
        return probes(URI.create("http://localhost:1"));
    }

    Probes probes(URI kubernetes) {
        return probes(this, kubernetes);
    }

    static Probes probes(ProbeConfig config, URI kubernetes) {
        return new Probes(config, KubernetesSettings.plain(kubernetes), VERTX);
    }

    /** For tests of other packages. */
    public static void close(Probes probes) {
        probes.close();
    }
}
