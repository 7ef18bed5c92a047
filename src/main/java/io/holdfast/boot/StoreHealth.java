package io.holdfast.boot;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.health.api.HealthGroup;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/** Up if the store accepts changes. For operators and alerts, not for a readiness probe. */
@HealthGroup("store")
@Singleton
public class StoreHealth implements AsyncHealthCheck {
    private final StoreMonitor monitor;

    StoreHealth(StoreMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return monitor.problems().map(problems -> {
            var response = HealthCheckResponse.named("store").status(problems.isEmpty());
            return with(response, "problem_", problems).build();
        });
    }

    static HealthCheckResponseBuilder with(HealthCheckResponseBuilder response, String key, List<String> problems) {
        for (var i = 0; i < problems.size(); i++) {
            response.withData(key + (i + 1), problems.get(i));
        }
        return response;
    }
}
