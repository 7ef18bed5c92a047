package io.holdfast.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoIT {
    @Test
    void itShowsTwoRefusalsAStopAndAStartAndCleansUp() throws Exception {
        var shown = new ByteArrayOutputStream();
        var demo = new Demo(new PrintStream(shown, true, StandardCharsets.UTF_8), Duration.ZERO);
        try (demo) {
            demo.run();
        }

        var lines = shown.toString(StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .toList();
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
        assertThat(demo.folder()).doesNotExist();
    }
}
