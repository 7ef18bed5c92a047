package io.holdfast.telemetry;

import io.holdfast.power.port.Actuator;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;

/** An actuator with a span for every order and every look. Changes no answer. */
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
                "actuator stop", Facts.of(database.id(), epoch), () -> actuator.stop(database, epoch), Facts::outcome);
    }

    @Override
    public Uni<Outcome> start(Database database, long epoch) {
        return spans.around(
                "actuator start",
                Facts.of(database.id(), epoch),
                () -> actuator.start(database, epoch),
                Facts::outcome);
    }

    @Override
    public Uni<Reading> state(Database database) {
        return spans.around(
                "actuator state",
                Facts.of(database.id()),
                () -> actuator.state(database),
                reading -> Facts.state(reading.state()));
    }
}
