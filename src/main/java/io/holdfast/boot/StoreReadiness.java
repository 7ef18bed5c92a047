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
 * Ready if this replica has no problem of its own. The embedded store counts as part of the replica. A shared store
 * does not, so that replicas keep answering with 503 while it is down. Liveness checks no store, since a restart
 * repairs none.
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
        var blocking = store.blockingReadiness(problems);
        var response = HealthCheckResponse.named(name).status(blocking.isEmpty());
        return blocking.isEmpty()
                ? StoreHealth.with(response, "store_problem_", problems).build()
                : StoreHealth.with(response, "problem_", blocking).build();
    }
}
