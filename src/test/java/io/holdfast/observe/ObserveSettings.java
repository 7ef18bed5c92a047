package io.holdfast.observe;

import java.time.Duration;

/** Settings of the observation, chosen by a test. */
record ObserveSettings(Duration crashWindow, int crashRestarts, int flapChanges, Duration startGrace, int rememberedMax)
        implements ObserveConfig {
    static final ObserveSettings DEFAULTS =
            new ObserveSettings(Duration.ofMinutes(10), 3, 4, Duration.ofMinutes(2), 20_000);

    ObserveSettings withRememberedMax(int given) {
        return new ObserveSettings(crashWindow, crashRestarts, flapChanges, startGrace, given);
    }
}
