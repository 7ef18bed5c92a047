package io.holdfast.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeConfigTest {
    @Test
    void withoutSettingsTheDefaultsHold() {
        var config = config(Map.of());

        assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.runMax()).isEqualTo(Duration.ofSeconds(20));
        assertThat(config.parallelMax()).isEqualTo(256);
        assertThat(config.confirmationPause()).isEqualTo(Duration.ofMillis(250));
        assertThat(config.apiGatewayUrl()).isEmpty();
        probes(config).close();
    }

    @Test
    void theSeedsNamesAreUnderstood() {
        var config = config(Map.of("API_GATEWAY_URL", "https://gateway.example/prod", "QUICK_STATUS_TIMEOUT", "5"));

        assertThat(config.apiGatewayUrl()).contains(URI.create("https://gateway.example/prod"));
        assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void theOwnNamesComeFirst() {
        var config = config(Map.of(
                "API_GATEWAY_URL", "https://gateway.example",
                "HOLDFAST_PROBE_API_GATEWAY_URL", "https://other.example",
                "QUICK_STATUS_TIMEOUT", "5",
                "HOLDFAST_PROBE_TIMEOUT", "1s"));

        assertThat(config.apiGatewayUrl()).contains(URI.create("https://other.example"));
        assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void anEmptyValueSwitchesOff() {
        var config = config(Map.of("API_GATEWAY_URL", ""));

        assertThat(config.apiGatewayUrl()).isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "HOLDFAST_PROBE_TIMEOUT, 0s, holdfast.probe.timeout",
        "HOLDFAST_PROBE_RUN_MAX, 2999ms, holdfast.probe.run-max (2999ms) must be at least holdfast.probe.timeout (3s)",
        "HOLDFAST_PROBE_PARALLEL_MAX, 0, holdfast.probe.parallel-max",
        "HOLDFAST_PROBE_CONFIRMATION_PAUSE, 0s, holdfast.probe.confirmation-pause",
    })
    void aValueOutOfRangeIsRefusedAtStartByItsKey(String variable, String value, String key) {
        var config = config(Map.of(variable, value));

        assertThatThrownBy(() -> probes(config))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway.example",
                "ftp://gateway.example",
                "https://user:secret@gateway.example",
                "https://gateway.example/?stage=prod",
                "https://gateway.example/#prod"
            })
    void aGatewayThatCannotBeABaseIsRefusedAtStart(String url) {
        var config = config(Map.of("API_GATEWAY_URL", url));

        assertThatThrownBy(() -> probes(config))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("holdfast.probe.api-gateway-url")
                .hasMessageNotContaining("secret");
    }

    private static Probes probes(ProbeConfig config) {
        return ProbeSettings.probes(config, URI.create("http://localhost:1"));
    }

    private static ProbeConfig config(Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withSources(new EnvConfigSource(environment, 300))
                .withMapping(ProbeConfig.class)
                .build()
                .getConfigMapping(ProbeConfig.class);
    }
}
