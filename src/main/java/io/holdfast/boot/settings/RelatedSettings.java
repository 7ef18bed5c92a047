package io.holdfast.boot.settings;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.actuator.ActuatorConfig;
import io.holdfast.actuator.Actuators;
import io.holdfast.lifecycle.LifecycleConfig;
import io.holdfast.lock.LockConfig;
import io.holdfast.power.model.PowerConfig;
import io.holdfast.probe.ProbeConfig;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Checks settings of different capabilities against each other. */
@Singleton
final class RelatedSettings {
    private final PowerConfig power;
    private final ProbeConfig probe;
    private final ActuatorConfig actuator;
    private final LockConfig lock;
    private final LifecycleConfig lifecycle;

    RelatedSettings(
            PowerConfig power, ProbeConfig probe, ActuatorConfig actuator, LockConfig lock, LifecycleConfig lifecycle) {
        this.power = power;
        this.probe = probe;
        this.actuator = actuator;
        this.lock = lock;
        this.lifecycle = lifecycle;
    }

    void check(@Observes StartupEvent event) {
        // Otherwise every write of a status would be refused for its TTL, which its caller has not chosen.
        allowedByLocks("holdfast.lifecycle.lock-ttl", lifecycle.lockTtl());
        allowedByLocks("holdfast.lifecycle.reconcile-lock-ttl", lifecycle.reconcileLockTtl());
        requireAtLeast("holdfast.power.lock-ttl", power.lockTtl(), "holdfast.lock.ttl-min", lock.ttlMin());
        requireAtLeast("holdfast.lock.ttl-max", lock.ttlMax(), "holdfast.power.lock-ttl", power.lockTtl());
        // An order that timed out must not reach the database after the lease has expired.
        requireAtLeast(
                "holdfast.power.lease-margin",
                power.leaseMargin(),
                "twice holdfast.actuator.call-timeout",
                actuator.callTimeout().multipliedBy(Actuators.CALLS_PER_ORDER));
        // Otherwise the lock would expire during a slow check.
        requireAtLeast(
                "holdfast.power.lock-ttl",
                power.lockTtl(),
                "holdfast.probe.run-max and holdfast.power.lease-margin together",
                probe.runMax().plus(power.leaseMargin()));
    }

    private void allowedByLocks(String key, Duration ttl) {
        requireAtLeast(key, ttl, "holdfast.lock.ttl-min", lock.ttlMin());
        requireAtLeast("holdfast.lock.ttl-max", lock.ttlMax(), key, ttl);
    }
}
