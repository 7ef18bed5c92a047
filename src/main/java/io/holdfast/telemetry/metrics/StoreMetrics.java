package io.holdfast.telemetry.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicReference;

/** Whether the store accepted changes at the last check. NaN before the first check. */
@Singleton
public class StoreMetrics {
    private final AtomicReference<Double> available = new AtomicReference<>(Double.NaN);

    public StoreMetrics(MeterRegistry registry) {
        Gauge.builder("store.available", available, AtomicReference::get)
                .description("1 if the store accepted changes at the last check, 0 if not")
                .register(registry);
    }

    public void checked(boolean isAvailable) {
        available.set(isAvailable ? 1.0 : 0.0);
    }
}
