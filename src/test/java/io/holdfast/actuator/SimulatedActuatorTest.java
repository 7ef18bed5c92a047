package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.TestClock;
import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.DatabaseId;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimulatedActuatorTest {
    private static final Duration TAKES = Duration.ofSeconds(1);

    private final Rig rig =
            new Rig(ActuatorSettings.at(URI.create("http://127.0.0.1:1")), new ActuatorSpec.Simulated());

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void itRunsUntilItIsStoppedAndAgainOnceItIsStarted() {
        assertThat(rig.state()).isEqualTo(State.RUNNING);

        assertThat(rig.stop()).isEqualTo(new Outcome.Accepted());
        assertThat(rig.state()).isEqualTo(State.STOPPING);
        rig.clock.advance(TAKES);
        assertThat(rig.state()).isEqualTo(State.STOPPED);

        assertThat(rig.start()).isEqualTo(new Outcome.Accepted());
        assertThat(rig.state()).isEqualTo(State.STARTING);
        rig.clock.advance(TAKES);
        assertThat(rig.state()).isEqualTo(State.RUNNING);
    }

    @Test
    void aRepeatedOrderChangesNothing() {
        assertThat(rig.start()).isEqualTo(new Outcome.Already());
        rig.stop();
        assertThat(rig.stop()).isEqualTo(new Outcome.Already());
        rig.clock.advance(TAKES);
        assertThat(rig.stop()).isEqualTo(new Outcome.Already());
    }

    @Test
    void anOrderInTheMiddleOfTheOppositeOneIsRetried() {
        rig.stop();

        assertThat(rig.start()).isEqualTo(new Outcome.Retry("simulated: still STOPPING"));
    }

    @Test
    void everyReadingSaysThatItIsSimulated() {
        var simulated = new SimulatedActuator(TAKES, new TestClock(Instant.EPOCH)).of(Rig.DATABASE);

        assertThat(simulated.state().await().atMost(Duration.ofSeconds(30)).detail())
                .isEqualTo("simulated");
    }

    @Test
    void noMoreDatabasesAreSimulatedThanTheLimit() {
        var simulated = new SimulatedActuator(TAKES, new TestClock(Instant.EPOCH));
        for (var i = 0; i < SimulatedActuator.DATABASES_MAX; i++) {
            assertThat(stop(simulated, "db-" + i)).isEqualTo(new Outcome.Accepted());
        }

        assertThat(stop(simulated, "db-0")).isEqualTo(new Outcome.Already());
        assertThat(stop(simulated, "one-more")).isInstanceOf(Outcome.Refused.class);
    }

    private static Outcome stop(SimulatedActuator simulated, String database) {
        return simulated.of(new DatabaseId(database)).stop(1).await().atMost(Duration.ofSeconds(30));
    }
}
