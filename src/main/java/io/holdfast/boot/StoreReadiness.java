package io.holdfast.boot;

import io.holdfast.store.StoreCheck;
import io.holdfast.store.StoreConfig;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready when nothing is wrong with this replica. The embedded store is part of it; a store that replicas share is not, so
 * that they go on answering while it is away. Liveness asks neither: a restart mends no store.
 */
@Readiness
@Singleton
public class StoreReadiness implements AsyncHealthCheck {
    private final StoreMonitor monitor;
    private final StoreCheck store;
    private final String name;

    StoreReadiness(StoreMonitor monitor, StoreCheck store, StoreConfig config) {
        this.monitor = monitor;
        this.store = store;
        this.name = config.store() == StoreConfig.Kind.EMBEDDED ? "store" : "replica";
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return monitor.problems().map(this::response);
    }

    private HealthCheckResponse response(List<String> problems) {
        var blocking = store.keepingFromReady(problems);
        var response = HealthCheckResponse.named(name).status(blocking.isEmpty());
        return blocking.isEmpty()
                ? StoreHealth.with(response, "store_problem_", problems).build()
                : StoreHealth.with(response, "problem_", blocking).build();
    }
}
