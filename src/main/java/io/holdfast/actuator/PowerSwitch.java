package io.holdfast.actuator;

import io.holdfast.power.Actuator.Outcome;
import io.holdfast.power.Actuator.State;
import io.smallrye.mutiny.Uni;

/** One database as its kind of actuator sees it. */
interface PowerSwitch {
    Uni<Outcome> stop(long epoch);

    Uni<Outcome> start(long epoch);

    Uni<Reading> state();

    /** @param detail what the state was told from, or why it could not be told */
    record Reading(State state, String detail) {
        static Reading unknown(String detail) {
            return new Reading(State.UNKNOWN, detail);
        }

        /** What an outcome says when it came of a look and not of an order. */
        static Reading unknown(Outcome failed) {
            return unknown(
                    switch (failed) {
                        case Outcome.Accepted accepted -> "";
                        case Outcome.Already already -> "";
                        case Outcome.Refused refused -> refused.reason();
                        case Outcome.Retry retry -> retry.reason();
                    });
        }
    }
}
