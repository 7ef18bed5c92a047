package io.holdfast.telemetry.metrics;

import io.holdfast.lock.model.LockType;
import io.holdfast.lock.port.LockStatistics;
import io.holdfast.lock.sweep.SweepListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

/**
 * The lock statistics of the last sweep at this replica. A replica that did not sweep last shows NaN, so that old
 * values are not added to those of the replica that did. Aggregations ignore NaN.
 */
@Singleton
public class LockStatisticsMetrics implements SweepListener {
    private final AtomicReference<Optional<LockStatistics>> last = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Instant> lastAt = new AtomicReference<>(Instant.EPOCH);

    public LockStatisticsMetrics(MeterRegistry registry) {
        Gauge.builder("stale.locks", last, shown(LockStatistics::stale))
                .description(
                        "Leases that expired long ago and were neither released nor taken over, as of the last sweep")
                .register(registry);
        for (var type : LockType.values()) {
            Gauge.builder(
                            "lock.held.longest.seconds",
                            last,
                            shown(statistics ->
                                    statistics.longestHeld().get(type).toMillis() / 1000.0))
                    .description("Age of the oldest lease that was held at the last sweep")
                    .tag("lock_type", type.text())
                    .register(registry);
        }
        // A past time stays correct, so notCounted() does not reset it.
        Gauge.builder(
                        "lock.statistics.timestamp.seconds",
                        lastAt,
                        at -> at.get().toEpochMilli() / 1000.0)
                .description("Time of the last complete sweep at this replica; 0 if there was none")
                .register(registry);
    }

    @Override
    public void counted(LockStatistics statistics, Instant at) {
        last.set(Optional.of(statistics));
        lastAt.set(at);
    }

    @Override
    public void notCounted() {
        last.set(Optional.empty());
    }

    private static ToDoubleFunction<AtomicReference<Optional<LockStatistics>>> shown(
            ToDoubleFunction<LockStatistics> figure) {
        return last -> last.get().map(figure::applyAsDouble).orElse(Double.NaN);
    }
}
