package io.holdfast.boot;

import io.holdfast.store.StoreCheck;
import io.holdfast.telemetry.metrics.StoreMetrics;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/** Checks with a timeout whether the store accepts changes, and sets the metric. */
@Singleton
class StoreMonitor {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final StoreCheck store;
    private final StoreMetrics metrics;

    StoreMonitor(StoreCheck store, StoreMetrics metrics) {
        this.store = store;
        this.metrics = metrics;
    }

    Uni<List<String>> problems() {
        return store.problems()
                .ifNoItem()
                .after(ANSWER_MAX)
                .recoverWithItem(List.of("The store did not answer within " + ANSWER_MAX.toMillis() + " ms."))
                .invoke(problems -> metrics.checked(problems.isEmpty()));
    }
}
