package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code make demo-jobs} runs. */
class DemoJobsIT {
    @Test
    @Timeout(300)
    void itShowsARetryAfterAKillAndARefusedZombieAndCleansUp(@TempDir Path temporary) throws Exception {
        var demo = start(temporary);

        var lines = demo.inputReader().lines().map(String::strip).toList();

        assertThat(demo.waitFor()).as(String.join("\n", lines)).isZero();
        assertThat(lines)
                .anyMatch(line -> line.contains("WORKER_TIMEOUT"))
                .anyMatch(line -> line.endsWith("is WAITING, cluster blue is CREATING."))
                .anyMatch(line -> line.startsWith("[blue, attempt 2 by worker-2] network: exists"))
                .anyMatch(
                        line -> line.startsWith("[blue, attempt 1 by worker-1] stops: a worker with the higher epoch"))
                .anyMatch(line -> line.startsWith("409 stale-epoch: "))
                .contains("cluster blue is READY", "cluster green is READY", "cluster red is READY");
        assertThat(temporary).isEmptyDirectory();
    }

    private static Process start(Path temporary) throws IOException {
        var command = new ArrayList<>(List.of("sh", "tools/demo-jobs"));
        command.addAll(PackagedProgram.command(StartUpArchive.flags()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("TMPDIR", temporary.toString());
        return builder.start();
    }
}
