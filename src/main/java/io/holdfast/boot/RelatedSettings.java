package io.holdfast.boot;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.actuator.ActuatorConfig;
import io.holdfast.power.PowerConfig;
import io.holdfast.probe.ProbeConfig;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Settings of different capabilities that must fit each other. */
@Singleton
final class RelatedSettings {
    void check(@Observes StartupEvent event, PowerConfig power, ProbeConfig probe, ActuatorConfig actuator) {
        // An order that was given up must not reach the database after the lease is over.
        requireAtLeast(
                "holdfast.power.lease-margin",
                power.leaseMargin(),
                "holdfast.actuator.call-timeout",
                actuator.callTimeout());
        // Or the lock would be lost with every look that takes its time.
        requireAtLeast(
                "holdfast.power.lock-ttl",
                power.lockTtl(),
                "holdfast.probe.look-max and holdfast.power.lease-margin together",
                probe.lookMax().plus(power.leaseMargin()));
    }
}
