package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.remote.KubernetesSettings;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ActuatorConfigTest {
    private static ActuatorConfig config(Map<String, String> given) {
        return new SmallRyeConfigBuilder()
                .withMapping(ActuatorConfig.class)
                .withConverter(Duration.class, 100, DurationConverter::parseDuration)
                .withDefaultValues(given)
                .build()
                .getConfigMapping(ActuatorConfig.class);
    }

    @Test
    void withoutSettingsTheDefaultsHold() {
        var config = config(Map.of());

        assertThat(config.callTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.ec2Endpoint()).isEmpty();
        assertThat(config.rdsEndpoint()).isEmpty();
        assertThat(config.simulatedDuration()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void anEndpointOfOnesOwnIsTaken() {
        var config = config(Map.of("holdfast.actuator.ec2-endpoint", "http://localhost:4566"));

        assertThat(config.ec2Endpoint()).contains(URI.create("http://localhost:4566"));
    }

    @Test
    void aTimeoutThatNoCallCanMeetIsRefusedAtStart() {
        var config = config(Map.of("holdfast.actuator.call-timeout", "99ms"));
        var kubernetes = KubernetesSettings.plain(URI.create("http://localhost:1"));
        var vertx = Vertx.vertx();

        assertThatThrownBy(() -> new Actuators(config, kubernetes, vertx, InstantSource.system()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("holdfast.actuator.call-timeout (99ms)");
        vertx.close();
    }
}
