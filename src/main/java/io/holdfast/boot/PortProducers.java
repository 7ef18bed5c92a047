package io.holdfast.boot;

import io.holdfast.actuator.Actuators;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.AppProbe;
import io.holdfast.power.port.QuickProbe;
import io.holdfast.probe.Probes;
import io.holdfast.telemetry.tracing.TracedProbe;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Probes and actuators, with spans around them if tracing is on. */
final class PortProducers {
    @Produces
    @Singleton
    AppProbe probe(Probes probes, Tracing tracing) {
        return tracing.spans()
                .<AppProbe>map(on -> new TracedProbe(probes, probes, on))
                .orElse(probes);
    }

    @Produces
    @Singleton
    QuickProbe quickProbe(Probes probes, Tracing tracing) {
        return tracing.spans()
                .<QuickProbe>map(on -> new TracedProbe(probes, probes, on))
                .orElse(probes);
    }

    @Produces
    @Singleton
    Actuator actuator(Actuators actuators, Tracing tracing) {
        return tracing.around(actuators);
    }
}
