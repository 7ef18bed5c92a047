package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedStopsOffIT {
    @Test
    void switchedOffItLeavesSharedDatabasesAloneAndStopsDedicatedOnes() {
        var environment = new HashMap<>(PowerCrew.PATIENT);
        environment.put("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());
        environment.put("SHARED_DB_LOCK_ENABLED", "false");
        try (var program = PackagedProgram.start(environment);
                var calls = new ProgramCalls(program.address());
                var crew = new PowerCrew().register(calls)) {
            crew.second.goDown();

            assertThat(PowerCrew.stop(calls, crew.firstName)).isEqualTo("SKIPPED_DISABLED");
            assertThat(crew.webhook.orders()).isEmpty();
            calls.put("/v1/apps/" + crew.secondName, Map.of("databases", List.of()));

            assertThat(PowerCrew.stop(calls, crew.firstName)).isIn("STOPPED", "ALREADY_STOPPED");
            assertThat(crew.webhook.orders()).containsExactly("stop");
        }
    }
}
