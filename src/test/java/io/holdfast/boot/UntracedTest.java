package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.actuator.Actuators;
import io.holdfast.lifecycle.port.ServiceObserver;
import io.holdfast.lock.port.LockStore;
import io.holdfast.observe.Observers;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.AppProbe;
import io.holdfast.power.port.QuickProbe;
import io.holdfast.probe.Probes;
import io.holdfast.suite.AwaitDefaultsFacts;
import io.holdfast.suite.OnQuarkus;
import io.holdfast.telemetry.metrics.MeteredLockStore;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** Without the extension there is nothing between a capability and its ports. */
@OnQuarkus
@QuarkusTest
class UntracedTest implements AwaitDefaultsFacts {
    @Inject
    LockStore locks;

    @Inject
    AppProbe probe;

    @Inject
    QuickProbe look;

    @Inject
    Actuator actuator;

    @Inject
    ServiceObserver observer;

    @Test
    void nothingIsWrappedInSpans() {
        assertThat(locks).isInstanceOf(MeteredLockStore.class);
        assertThat(probe).isInstanceOf(Probes.class);
        assertThat(look).isInstanceOf(Probes.class);
        assertThat(actuator).isInstanceOf(Actuators.class);
        assertThat(observer).isInstanceOf(Observers.class);
    }
}
