package io.holdfast.boot;

import io.holdfast.lock.LockConfig;
import io.holdfast.lock.LockLimits;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Turns the lock configuration into limits that are known to be consistent. */
final class LockSetup {
    @Produces
    @Singleton
    LockLimits limits(LockConfig config) {
        return new LockLimits(config);
    }
}
