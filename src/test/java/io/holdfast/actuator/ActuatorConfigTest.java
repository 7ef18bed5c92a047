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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;

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
        assertThat(config.awsParallelMax()).isEqualTo(16);
        assertThat(config.ec2Endpoint()).isEmpty();
        assertThat(config.rdsEndpoint()).isEmpty();
        assertThat(config.simulatedDuration()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void anEndpointOfOnesOwnIsTaken() {
        var config = config(Map.of("holdfast.actuator.ec2-endpoint", "http://localhost:4566"));

        assertThat(config.ec2Endpoint()).contains(URI.create("http://localhost:4566"));
    }

    @ParameterizedTest
    @CsvSource({
        "holdfast.actuator.call-timeout, 99ms, holdfast.actuator.call-timeout (99ms)",
        "holdfast.actuator.aws-parallel-max, 0, holdfast.actuator.aws-parallel-max (0)"
    })
    void aValueWithWhichNoCallCanBeMadeIsRefusedAtStart(String key, String value, String message) {
        var config = config(Map.of(key, value));
        var kubernetes = KubernetesSettings.plain(URI.create("http://localhost:1"));
        var vertx = Vertx.vertx();

        assertThatThrownBy(() -> new Actuators(
                        config, kubernetes, vertx, InstantSource.system(), AnonymousCredentialsProvider.create()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(message);
        vertx.close();
    }
}
