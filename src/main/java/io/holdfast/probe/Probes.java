package io.holdfast.probe;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.kernel.Pause;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.port.AppProbe;
import io.holdfast.power.port.QuickProbe;
import io.holdfast.registry.Sharer;
import io.holdfast.remote.BaseUrl;
import io.holdfast.remote.KubernetesApi;
import io.holdfast.remote.KubernetesConfig;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * Probes apps over HTTP, Kubernetes or a status gateway. Every failure is UNKNOWN, never DOWN. Non-blocking.
 */
@Singleton
@Typed(Probes.class)
public class Probes implements AppProbe, QuickProbe {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final ProbeConfig config;
    private final ProbeRunner runner;
    private final HttpProbe http;
    private final KubernetesApi kubernetesApi;
    private final KubernetesProbe kubernetes;
    private final Optional<GatewayProbe> gateway;

    Probes(ProbeConfig config, KubernetesConfig kubernetesConfig, Vertx vertx) {
        check(config);
        var timeout = config.timeout();
        var parallelMax = config.parallelMax();
        this.config = config;
        this.runner = new ProbeRunner(
                parallelMax, new ProbeRunner.Bounds(timeout, config.runMax()), Infrastructure.getDefaultWorkerPool());
        this.gateway = config.apiGatewayUrl()
                .map(url -> BaseUrl.of("holdfast.probe.api-gateway-url", url))
                .map(base -> new GatewayProbe(base, vertx, new GatewayProbe.Bounds(timeout, parallelMax)));
        this.kubernetesApi = new KubernetesApi(vertx, kubernetesConfig, new KubernetesApi.Bounds(timeout, parallelMax));
        this.kubernetes = new KubernetesProbe(kubernetesApi);
        this.http = new HttpProbe(() -> HeadersOnly.client(timeout).build());
    }

    private static void check(ProbeConfig config) {
        requireAtLeast("holdfast.probe.timeout", config.timeout(), "one millisecond", SHORTEST);
        requireAtLeast("holdfast.probe.run-max", config.runMax(), "holdfast.probe.timeout", config.timeout());
        requireAtLeast("holdfast.probe.parallel-max", config.parallelMax(), 1);
        requireAtLeast("holdfast.probe.confirmation-pause", config.confirmationPause(), "one millisecond", SHORTEST);
    }

    /** Creates this bean at start, so that a wrong setting fails at start and not at the first stop. */
    void start(@Observes StartupEvent event) {}

    /**
     * Repeats a DOWN result until it has the confirmations of the app; any other result counts at once. Uses the status
     * gateway if there is one.
     */
    @Override
    public Uni<Result> probe(Sharer app) {
        return confirmed(app, 1);
    }

    /**
     * One probe from this replica, without confirmations. Never uses the status gateway: this method answers
     * {@code /status/quick}, and a gateway URL that points at this service would make it call itself.
     */
    @Override
    public Uni<Result> probeOnce(Sharer app) {
        var spec = app.probe();
        return switch (spec.policy()) {
            case HTTP_200 ->
                spec.url().map(url -> runner.run(() -> http.http200(url))).orElseGet(Probes::notConfigured);
            case HTTP_CAUTIOUS ->
                spec.url().map(url -> runner.run(() -> http.cautious(url))).orElseGet(Probes::notConfigured);
            case KUBERNETES ->
                spec.workload()
                        .map(workload -> runner.run(() -> kubernetes.probe(workload)))
                        .orElseGet(Probes::notConfigured);
        };
    }

    private Uni<Result> confirmed(Sharer app, int number) {
        return probeOrUseGateway(app).chain(result -> {
            if (result.status() != AppStatus.DOWN) {
                return Uni.createFrom().item(result);
            }
            if (number >= app.probe().confirmations()) {
                return Uni.createFrom().item(number == 1 ? result : confirmed(result, number));
            }
            return Pause.of(config.confirmationPause()).chain(() -> confirmed(app, number + 1));
        });
    }

    private Uni<Result> probeOrUseGateway(Sharer app) {
        return gateway.map(found -> runner.run(() -> found.probe(app.app()))).orElseGet(() -> probeOnce(app));
    }

    private static Result confirmed(Result result, int times) {
        return new Result(result.status(), result.httpCode(), result.detail() + ", " + times + " times in a row");
    }

    private static Uni<Result> notConfigured() {
        return Uni.createFrom().item(Result.unknown("no probe is configured: the app has no url"));
    }

    @PreDestroy
    void close() {
        kubernetesApi.close();
        gateway.ifPresent(GatewayProbe::close);
        http.close();
    }
}
