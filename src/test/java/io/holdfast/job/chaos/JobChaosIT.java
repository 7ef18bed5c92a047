package io.holdfast.job.chaos;

import io.holdfast.boot.PackagedProgram;
import java.util.Map;

class JobChaosIT extends JobChaosFacts {
    @Override
    Map<String, String> store() {
        return Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());
    }
}
