package io.holdfast.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {
    @Test
    @Timeout(300)
    void itShowsTwoRefusalsAStopAndAStartAndCleansUp(@TempDir Path temporary) throws Exception {
        var demo = start(temporary);

        var lines = demo.inputReader().lines().map(String::strip).toList();

        assertThat(demo.waitFor()).as(String.join("\n", lines)).isZero();
        assertThat(lines)
                .filteredOn(line -> line.startsWith("decision:"))
                .isEqualTo(List.of(
                        "decision: SKIPPED_SHARED_ACTIVE",
                        "decision: SKIPPED_SHARED_ACTIVE",
                        "decision: STOPPED",
                        "decision: STARTED"));
        assertThat(lines)
                .contains("reason:   shared with active apps: reports, web", "reason:   shared with active apps: web")
                .contains("reason:   all sharing apps are down: billing, reports")
                .filteredOn(line -> line.contains("The database"))
                .extracting(line -> line.contains("does not answer"))
                .containsExactly(false, false, false, true, false);
        assertThat(temporary).isEmptyDirectory();
    }

    /** As `make demo` does, but without pauses. */
    private static Process start(Path temporary) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Demo.class.getName(),
                        "without-pauses")
                .redirectErrorStream(true)
                .start();
    }
}
