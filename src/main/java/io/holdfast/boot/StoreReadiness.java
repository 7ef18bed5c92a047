package io.holdfast.boot;

import io.holdfast.store.StoreCheck;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready when the store answers and nothing is wrong with it. Liveness never asks: a restart mends no store. */
@Readiness
@Singleton
public class StoreReadiness implements AsyncHealthCheck {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final StoreCheck store;

    StoreReadiness(StoreCheck store) {
        this.store = store;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return store.problems()
                .ifNoItem()
                .after(ANSWER_MAX)
                .recoverWithItem(List.of("The store did not answer within " + ANSWER_MAX.toMillis() + " ms."))
                .map(problems -> {
                    var response = HealthCheckResponse.named("store").status(problems.isEmpty());
                    for (var i = 0; i < problems.size(); i++) {
                        response.withData("problem_" + (i + 1), problems.get(i));
                    }
                    return response.build();
                });
    }
}
