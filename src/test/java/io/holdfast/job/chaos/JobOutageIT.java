package io.holdfast.job.chaos;

import io.holdfast.boot.FailingDisk;
import io.holdfast.boot.PackagedProgram;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;

/** The embedded store can be read from while its disk fails. */
class JobOutageIT extends JobOutageFacts {
    @BeforeAll
    static void assumePossible() {
        FailingDisk.assumePossible();
    }

    @Override
    Map<String, String> store() {
        return Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());
    }

    @Override
    void cutOff(PackagedProgram running) {
        new FailingDisk(running).fail();
    }

    @Override
    void heal(PackagedProgram running) {
        new FailingDisk(running).heal();
    }
}
