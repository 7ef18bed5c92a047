package io.holdfast.boot;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.actuator.ActuatorConfig;
import io.holdfast.actuator.Actuators;
import io.holdfast.lock.LockConfig;
import io.holdfast.power.model.PowerConfig;
import io.holdfast.probe.ProbeConfig;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Settings of different capabilities that must fit each other. */
@Singleton
final class RelatedSettings {
    private final PowerConfig power;
    private final ProbeConfig probe;
    private final ActuatorConfig actuator;
    private final LockConfig lock;

    RelatedSettings(PowerConfig power, ProbeConfig probe, ActuatorConfig actuator, LockConfig lock) {
        this.power = power;
        this.probe = probe;
        this.actuator = actuator;
        this.lock = lock;
    }

    void check(@Observes StartupEvent event) {
        requireAtLeast("holdfast.power.lock-ttl", power.lockTtl(), "holdfast.lock.ttl-min", lock.ttlMin());
        requireAtLeast("holdfast.lock.ttl-max", lock.ttlMax(), "holdfast.power.lock-ttl", power.lockTtl());
        // An order that was given up must not reach the database after the lease is over.
        requireAtLeast(
                "holdfast.power.lease-margin",
                power.leaseMargin(),
                "twice holdfast.actuator.call-timeout",
                actuator.callTimeout().multipliedBy(Actuators.CALLS_PER_ORDER));
        // Or the lock would be lost with every look that takes its time.
        requireAtLeast(
                "holdfast.power.lock-ttl",
                power.lockTtl(),
                "holdfast.probe.run-max and holdfast.power.lease-margin together",
                probe.runMax().plus(power.leaseMargin()));
    }
}
