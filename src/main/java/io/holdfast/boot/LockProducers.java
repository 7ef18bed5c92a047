package io.holdfast.boot;

import io.holdfast.kernel.Timers;
import io.holdfast.lock.LockConfig;
import io.holdfast.lock.LockLimits;
import io.holdfast.lock.hold.HoldConfig;
import io.holdfast.lock.hold.KeepAliveLimits;
import io.holdfast.lock.hold.RenewalConfig;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.lock.queue.LeaseObserver;
import io.holdfast.lock.queue.WaitConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Creates the lock services that depend on configuration, and checks that the limits are consistent. */
final class LockProducers {
    @Produces
    @Singleton
    LockLimits limits(LockConfig config, WaitConfig wait) {
        return new LockLimits(config, wait);
    }

    @Produces
    @Singleton
    KeepAliveLimits keepAliveLimits(HoldConfig hold, RenewalConfig renewal, LockLimits limits) {
        return new KeepAliveLimits(hold, renewal, limits);
    }

    @Produces
    @Singleton
    LeaseObserver observer(LockConfig config) {
        return new LeaseObserver(System::nanoTime, config.maxClockSkew(), config.observedMax());
    }

    @Produces
    @Singleton
    LockRules rules(LockLimits limits) {
        return limits.rules();
    }

    @Produces
    @Singleton
    Cleanup cleanup(LockConfig config, InstantSource clock, Timers timers) {
        return new Cleanup(clock, timers, config.cleanupsMax());
    }
}
