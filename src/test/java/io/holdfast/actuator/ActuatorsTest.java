package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.remote.FakeServer;
import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Inside the running service: whoever asks for the port gets every kind of actuator. */
@OnQuarkus
@QuarkusTest
class ActuatorsTest {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    @Inject
    Actuator actuator;

    private static Database database(String host, ActuatorSpec spec) {
        var address = new Database.Address(host, Optional.of(5432), Optional.empty());
        return new Database(new DatabaseId(host + ":5432"), "postgres", address, spec);
    }

    @Test
    void thePortReachesTheKindThatTheDatabaseWasRegisteredWith() {
        var database = database("simulated", new ActuatorSpec.Simulated());

        assertThat(actuator.state(database).await().atMost(ANSWER_WITHIN).state())
                .isEqualTo(State.RUNNING);
        assertThat(actuator.stop(database, 1).await().atMost(ANSWER_WITHIN)).isEqualTo(new Outcome.Accepted());
    }

    @Test
    void anOrderOverTheWireReachesItsReceiver() {
        try (var receiver = new FakeServer(request -> FakeServer.Response.of(202, ""))) {
            var url = receiver.url();
            var database =
                    database("webhook", new ActuatorSpec.Webhook(url, URI.create(url + "/status"), Optional.empty()));

            assertThat(actuator.start(database, 1).await().atMost(ANSWER_WITHIN))
                    .isEqualTo(new Outcome.Accepted());
            assertThat(receiver.requests()).hasSize(1);
        }
    }
}
