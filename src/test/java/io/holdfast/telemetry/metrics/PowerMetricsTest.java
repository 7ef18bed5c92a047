package io.holdfast.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.PendingCounts;
import io.holdfast.power.model.Phase;
import io.holdfast.registry.DatabaseId;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PowerMetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final PowerMetrics metrics = new PowerMetrics(registry);

    @ParameterizedTest
    @EnumSource(Decision.Result.class)
    void everyDecisionIsCountedFromZero(Decision.Result result) {
        assertThat(decisions(result)).isZero();

        metrics.decided(decision(result));

        assertThat(decisions(result)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Phase.class)
    void everyPhaseIsThereBeforeTheFirstPassAndSaysNothing(Phase phase) {
        assertThat(unsettled(phase.name())).isNaN();
        assertThat(unsettled("UNKNOWN")).isNaN();
    }

    @Test
    void whatTheLastPassFoundIsShownUntilTheNext() {
        metrics.passed(new PendingCounts(Map.of(Phase.STOP_STUCK, 2), 1));

        assertThat(unsettled("STOP_STUCK")).isEqualTo(2);
        assertThat(unsettled("STOPPING")).isZero();
        assertThat(unsettled("UNKNOWN")).isEqualTo(1);

        metrics.passed(new PendingCounts(Map.of(), 0));

        assertThat(unsettled("STOP_STUCK")).isZero();
    }

    @Test
    void afterAPassThatFailedNobodyKnows() {
        metrics.passed(new PendingCounts(Map.of(), 0));

        metrics.passFailed();

        assertThat(unsettled("STOP_STUCK")).isNaN();
    }

    private static Decision decision(Decision.Result result) {
        var by = new Decision.By(Optional.empty(), Fixtures.NOON, Duration.ZERO);
        return new Decision(new DatabaseId("db.example:5432"), "postgres", result, "so", Decision.Evidence.NONE, by);
    }

    private double decisions(Decision.Result result) {
        return registry.get("db.decisions")
                .tag("decision", lower(result.name()))
                .counter()
                .count();
    }

    private double unsettled(String phase) {
        return registry.get("db.pending").tag("phase", lower(phase)).gauge().value();
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
