package io.holdfast.boot;

import io.holdfast.job.port.JobStore;
import io.holdfast.lock.port.LockStore;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.RegistryStore;
import io.holdfast.telemetry.tracing.Spans;
import io.holdfast.telemetry.tracing.TracedActuator;
import io.holdfast.telemetry.tracing.TracedJobStore;
import io.holdfast.telemetry.tracing.TracedLockStore;
import io.holdfast.telemetry.tracing.TracedPowerStore;
import io.holdfast.telemetry.tracing.TracedRegistryStore;
import io.opentelemetry.api.trace.Tracer;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Puts spans around the ports if the program was built with tracing and tracing is not disabled. Otherwise it returns
 * the ports unchanged, so requests have no extra cost.
 */
@Singleton
class Tracing {
    private final Optional<Spans> spans;

    Tracing(
            Instance<Tracer> tracer,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled", defaultValue = "false") boolean disabled) {
        spans = tracer.isResolvable() && !disabled ? Optional.of(new Spans(tracer.get())) : Optional.empty();
    }

    Optional<Spans> spans() {
        return spans;
    }

    LockStore around(LockStore store) {
        return spans.<LockStore>map(on -> new TracedLockStore(store, on)).orElse(store);
    }

    RegistryStore around(RegistryStore store) {
        return spans.<RegistryStore>map(on -> new TracedRegistryStore(store, on))
                .orElse(store);
    }

    PowerStore around(PowerStore store) {
        return spans.<PowerStore>map(on -> new TracedPowerStore(store, on)).orElse(store);
    }

    JobStore around(JobStore store) {
        return spans.<JobStore>map(on -> new TracedJobStore(store, on)).orElse(store);
    }

    Actuator around(Actuator actuator) {
        return spans.<Actuator>map(on -> new TracedActuator(actuator, on)).orElse(actuator);
    }
}
