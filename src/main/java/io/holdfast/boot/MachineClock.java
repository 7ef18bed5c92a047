package io.holdfast.boot;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.ZoneOffset;

/** The only place that reads the clock of the machine. In milliseconds, as in stores and answers. */
final class MachineClock {
    @Produces
    @Singleton
    ServiceClock serviceClock() {
        return new ServiceClock(Clock.tickMillis(ZoneOffset.UTC));
    }
}
