package io.holdfast.telemetry.metrics;

import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.port.LifecycleListener.Counts;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

/**
 * What the last pass of the reconciler at this replica has counted. A replica that did not make the last pass shows NaN,
 * so that old values are not compared with those of the replica that did. Aggregations ignore NaN.
 */
final class ServiceCountMetrics {
    private final MeterRegistry registry;
    private final AtomicReference<Optional<Counts>> last = new AtomicReference<>(Optional.empty());

    ServiceCountMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (var status : ServiceStatus.values()) {
            gauge(
                    "services",
                    Tags.of("status", JobMetrics.text(status)),
                    counts -> counts.byStatus().getOrDefault(status, 0),
                    "Services, by their status");
        }
        gauge(
                "services.deploying.overdue",
                Tags.empty(),
                Counts::overdue,
                "Services whose deployment is past its deadline, and whose status could not be repaired");
        gauge(
                "services.unobserved",
                Tags.empty(),
                Counts::unknown,
                "Services that could not be observed, or that have nothing to observe");
    }

    private void gauge(String name, Tags tags, ToDoubleFunction<Counts> figure, String description) {
        Gauge.builder(name, last, found -> found.get()
                        .map(figure::applyAsDouble)
                        .orElse(Double.NaN))
                .description(description)
                .tags(tags)
                .register(registry);
    }

    void counted(Counts counts) {
        last.set(Optional.of(counts));
    }

    void notCounted() {
        last.set(Optional.empty());
    }
}
