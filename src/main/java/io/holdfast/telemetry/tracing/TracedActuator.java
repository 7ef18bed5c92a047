package io.holdfast.telemetry.tracing;

import io.holdfast.power.port.Actuator;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;

/** Adds a span to every call of an actuator. Changes no answer. */
public final class TracedActuator implements Actuator {
    private final Actuator actuator;
    private final Spans spans;

    public TracedActuator(Actuator actuator, Spans spans) {
        this.actuator = actuator;
        this.spans = spans;
    }

    @Override
    public Uni<Outcome> stop(Database database, long epoch) {
        return spans.around(
                "actuator stop",
                SpanAttributes.of(database.id(), epoch),
                () -> actuator.stop(database, epoch),
                SpanAttributes::outcome);
    }

    @Override
    public Uni<Outcome> start(Database database, long epoch) {
        return spans.around(
                "actuator start",
                SpanAttributes.of(database.id(), epoch),
                () -> actuator.start(database, epoch),
                SpanAttributes::outcome);
    }

    @Override
    public Uni<Reading> state(Database database) {
        return spans.around(
                "actuator state",
                SpanAttributes.of(database.id()),
                () -> actuator.state(database),
                reading -> SpanAttributes.state(reading.state()));
    }
}
