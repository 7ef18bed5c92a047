package io.holdfast.boot;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.ZoneOffset;

/** The one place where the machine's clock is read. In milliseconds, which is what stores keep and answers show. */
final class MachineClock {
    @Produces
    @Singleton
    ServiceClock serviceClock() {
        return new ServiceClock(Clock.tickMillis(ZoneOffset.UTC));
    }
}
