package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SecondProcessIT {
    @Test
    void aDataFolderBelongsToOneProcessAndTheSecondSaysSo() {
        var folder = PackagedProgram.newDataFolder();
        var environment = Map.of("HOLDFAST_DATA_DIR", folder.toString());
        try (var first = PackagedProgram.start(environment);
                var calls = new ProgramCalls(first.address());
                var second = PackagedProgram.launch(environment)) {
            assertThat(second.awaitExit()).isNotZero();

            assertThat(second.output())
                    .contains("The data folder " + folder + " is in use by another Holdfast process")
                    .contains("HOLDFAST_DATA_DIR");
            assertThat(calls.acquire("still-served", "ada", ProgramCalls.newLockId())
                            .status())
                    .isEqualTo(201);
        }
    }
}
