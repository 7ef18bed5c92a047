package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WrongSettingsIT {
    /** @param named what the message must name, so that a person knows what to change */
    record Wrong(Map<String, String> settings, List<String> named) {}

    static Stream<Wrong> wrongSettings() {
        return Stream.of(
                new Wrong(Map.of("HOLDFAST_STORE", "floppy"), List.of("holdfast.store", "floppy")),
                new Wrong(
                        Map.of("HOLDFAST_LOCK_TTL_DEFAULT", "2h", "HOLDFAST_LOCK_TTL_MAX", "1h"),
                        List.of("holdfast.lock.ttl-max (3600s)", "holdfast.lock.ttl-default (7200s)")),
                new Wrong(
                        Map.of("HOLDFAST_SWEEP_LOCK_TTL", "1s", "HOLDFAST_SWEEP_STEP_PAUSE", "500ms"),
                        List.of("holdfast.sweep.lock-ttl", "holdfast.sweep.step-pause")),
                new Wrong(
                        Map.of("LOCK_TTL_SECONDS", "10"),
                        List.of("holdfast.power.lock-ttl (10s)", "twice holdfast.power.lease-margin (20s)")),
                new Wrong(
                        Map.of("HOLDFAST_ACTUATOR_CALL_TIMEOUT", "11s"),
                        List.of("holdfast.power.lease-margin (10s)", "twice holdfast.actuator.call-timeout (22s)")));
    }

    @ParameterizedTest
    @MethodSource("wrongSettings")
    void theProgramDoesNotStartAndNamesTheKeys(Wrong wrong) {
        var environment = new HashMap<>(wrong.settings());
        environment.put("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());

        try (var program = PackagedProgram.launch(environment)) {
            assertThat(program.awaitExit()).isNotZero();
            assertThat(program.output()).contains(wrong.named()).doesNotContain("Listening on");
        }
    }
}
