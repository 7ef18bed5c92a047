package io.holdfast.observe;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.port.ServiceObserver;
import io.holdfast.power.port.QuickProbe;
import io.holdfast.probe.KubernetesWorkloads;
import io.holdfast.probe.ProbeConfig;
import io.holdfast.probe.StatusUnknownException;
import io.holdfast.remote.Excerpt;
import io.holdfast.remote.KubernetesApi;
import io.holdfast.remote.KubernetesConfig;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/**
 * Looks at services with a URL or a Kubernetes workload. Every failure is UNKNOWN. Thread-safe and non-blocking.
 */
@Singleton
public final class Observers implements ServiceObserver {
    private static final String PREFIX = "holdfast.lifecycle.observe.";
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** One change is a start or a stop. Only a change and its reverse are flapping. */
    private static final int FLAP_CHANGES_MIN = 2;

    private final KubernetesApi api;
    private final UrlObserver urls;
    private final WorkloadObserver workloads;

    Observers(
            ObserveConfig config,
            ProbeConfig probeConfig,
            KubernetesConfig kubernetesConfig,
            QuickProbe probe,
            Vertx vertx) {
        check(config);
        var bounds = new KubernetesApi.Bounds(probeConfig.timeout(), probeConfig.parallelMax());
        this.api = new KubernetesApi(vertx, kubernetesConfig, bounds);
        this.urls = new UrlObserver(probe, config);
        this.workloads = new WorkloadObserver(new KubernetesWorkloads(api), config);
    }

    private static void check(ObserveConfig config) {
        requireAtLeast(PREFIX + "crash-window", config.crashWindow(), "one millisecond", SHORTEST);
        requireFromTo("crash-restarts", config.crashRestarts(), 1);
        requireFromTo("flap-changes", config.flapChanges(), FLAP_CHANGES_MIN);
        requireAtLeast(PREFIX + "start-grace", config.startGrace(), "zero", Duration.ZERO);
        requireAtLeast(PREFIX + "remembered-max", config.rememberedMax(), 1);
    }

    private static void requireFromTo(String name, int value, int min) {
        requireAtLeast(PREFIX + name, value, min);
        if (value > Changes.REMEMBERED_MAX) {
            throw new IllegalStateException(
                    PREFIX + name + " (" + value + ") must be at most " + Changes.REMEMBERED_MAX);
        }
    }

    /** Creates this bean at start, so that a wrong setting fails at start and not at the first look. */
    void start(@Observes StartupEvent event) {}

    @Override
    public Uni<Observation> observe(Service service, Instant now) {
        return Uni.createFrom()
                .deferred(() -> look(service, now))
                .onFailure()
                .recoverWithItem(failure -> Observation.unknown(cause(failure)))
                .map(seen -> new Observation(seen.state(), Excerpt.of(seen.detail())));
    }

    private Uni<Observation> look(Service service, Instant now) {
        return switch (service.spec().observe()) {
            case ObserveSpec.None none -> Uni.createFrom().item(Observation.unknown("nothing is observed"));
            case ObserveSpec.Url url -> urls.look(service.id(), url, now);
            case ObserveSpec.Kubernetes kubernetes -> workloads.look(service.id(), kubernetes, now);
        };
    }

    private static String cause(Throwable failure) {
        return failure instanceof StatusUnknownException unknown ? unknown.getMessage() : Excerpt.of(failure);
    }

    @PreDestroy
    void close() {
        api.close();
    }
}
