package io.holdfast.boot;

import io.holdfast.lock.Cleanup;
import io.holdfast.lock.HoldConfig;
import io.holdfast.lock.KeepLimits;
import io.holdfast.lock.LeaseWatch;
import io.holdfast.lock.LockConfig;
import io.holdfast.lock.LockLimits;
import io.holdfast.lock.LockRules;
import io.holdfast.lock.RenewalConfig;
import io.holdfast.lock.Timers;
import io.holdfast.lock.WaitConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Turns the lock configuration into limits that are known to be consistent. */
final class LockSetup {
    @Produces
    @Singleton
    LockLimits limits(LockConfig config, WaitConfig wait) {
        return new LockLimits(config, wait);
    }

    @Produces
    @Singleton
    KeepLimits keepLimits(HoldConfig hold, RenewalConfig renewal, LockLimits limits) {
        return new KeepLimits(hold, renewal, limits);
    }

    @Produces
    @Singleton
    LeaseWatch watch(LockConfig config) {
        return new LeaseWatch(System::nanoTime, config.maxClockSkew(), config.watchedMax());
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
