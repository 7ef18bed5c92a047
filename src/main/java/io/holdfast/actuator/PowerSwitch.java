package io.holdfast.actuator;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.Reading;
import io.smallrye.mutiny.Uni;

/** Orders and readings of one database. */
interface PowerSwitch {
    Uni<Outcome> stop(long epoch);

    Uni<Outcome> start(long epoch);

    Uni<Reading> state();
}
