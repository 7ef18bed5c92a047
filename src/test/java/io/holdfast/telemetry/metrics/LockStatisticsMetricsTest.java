package io.holdfast.telemetry.metrics;

import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.LockType;
import io.holdfast.lock.port.LockStatistics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LockStatisticsMetricsTest {
    private static final LockStatistics SEEN =
            new LockStatistics(3, Map.of(LockType.CLUSTER, Duration.ofMillis(5_400_500)));

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final LockStatisticsMetrics metrics = new LockStatisticsMetrics(registry);

    @Test
    void everySeriesIsThereBeforeTheFirstSweepAndSaysNothing() {
        assertThat(gauge("stale.locks")).isNaN();
        for (var type : LockType.values()) {
            assertThat(longest(type)).isNaN();
        }
        assertThat(gauge("lock.statistics.timestamp.seconds")).isZero();
    }

    @Test
    void whatWasCountedIsShownAndDoesNotGrowByItself() {
        metrics.counted(SEEN, NOON);

        assertThat(gauge("stale.locks")).isEqualTo(3);
        assertThat(longest(LockType.CLUSTER)).isEqualTo(5400.5);
        assertThat(longest(LockType.DATABASE)).isZero();
        assertThat(gauge("lock.statistics.timestamp.seconds")).isEqualTo(NOON.getEpochSecond());
    }

    @Test
    void aReplicaThatDidNotCountTheLastTimeShowsNoOldFiguresButWhenTheyWere() {
        metrics.counted(SEEN, NOON);

        metrics.notCounted();

        assertThat(gauge("stale.locks")).isNaN();
        assertThat(longest(LockType.CLUSTER)).isNaN();
        assertThat(gauge("lock.statistics.timestamp.seconds")).isEqualTo(NOON.getEpochSecond());
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double longest(LockType type) {
        return registry.get("lock.held.longest.seconds")
                .tag("lock_type", type.text())
                .gauge()
                .value();
    }
}
