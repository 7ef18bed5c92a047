package io.holdfast.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.probe.ProbeSettings;
import io.holdfast.remote.KubernetesSettings;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObserveConfigTest {
    private static final Vertx VERTX = Vertx.vertx();

    @Test
    void withoutSettingsTheDefaultsHold() {
        var config = config(Map.of());

        assertThat(config.crashWindow()).isEqualTo(Duration.ofMinutes(10));
        assertThat(config.crashRestarts()).isEqualTo(3);
        assertThat(config.flapChanges()).isEqualTo(4);
        assertThat(config.startGrace()).isEqualTo(Duration.ofMinutes(2));
        assertThat(config.rememberedMax()).isEqualTo(20_000);
        start(config);
    }

    @ParameterizedTest
    @CsvSource({
        "CRASH_WINDOW, 1ms",
        "CRASH_RESTARTS, 1",
        "CRASH_RESTARTS, 100",
        "FLAP_CHANGES, 2",
        "FLAP_CHANGES, 100",
        "START_GRACE, 0s",
        "REMEMBERED_MAX, 1"
    })
    void aValueAtItsLimitIsAccepted(String variable, String value) {
        var config = config(Map.of("HOLDFAST_LIFECYCLE_OBSERVE_" + variable, value));

        assertThatCode(() -> start(config)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "CRASH_WINDOW, 0s, holdfast.lifecycle.observe.crash-window (0s) must be at least",
        "CRASH_RESTARTS, 0, holdfast.lifecycle.observe.crash-restarts (0) must be at least 1",
        "CRASH_RESTARTS, 101, holdfast.lifecycle.observe.crash-restarts (101) must be at most 100",
        "FLAP_CHANGES, 1, holdfast.lifecycle.observe.flap-changes (1) must be at least 2",
        "FLAP_CHANGES, 101, holdfast.lifecycle.observe.flap-changes (101) must be at most 100",
        "START_GRACE, -PT1S, holdfast.lifecycle.observe.start-grace (-1s) must be at least",
        "REMEMBERED_MAX, 0, holdfast.lifecycle.observe.remembered-max (0) must be at least 1"
    })
    void aValueOutOfRangeIsRefusedAtStartByItsKey(String variable, String value, String message) {
        var config = config(Map.of("HOLDFAST_LIFECYCLE_OBSERVE_" + variable, value));

        assertThatThrownBy(() -> start(config))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(message);
    }

    private static void start(ObserveConfig config) {
        new Observers(
                        config,
                        ProbeSettings.PATIENT,
                        KubernetesSettings.plain(URI.create("http://localhost:1")),
                        app -> Uni.createFrom().item(Result.unknown("is not asked")),
                        VERTX)
                .close();
    }

    private static ObserveConfig config(Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withSources(new EnvConfigSource(environment, 300))
                .withMapping(ObserveConfig.class)
                .build()
                .getConfigMapping(ObserveConfig.class);
    }
}
