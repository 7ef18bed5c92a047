package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code make run} starts the service with. */
@Slow
class RunToolTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void aServiceThatIsToldToStopEndsNormally(String signal) throws Exception {
        var ready = folder.resolve("ready");
        var ended = folder.resolve("ended");
        var tool =
                run("trap 'touch %s; exit 143' TERM; touch %s; while :; do sleep 0.05; done".formatted(ended, ready));
        try {
            await().atMost(SOON).until(() -> Files.exists(ready));

            new ProcessBuilder("kill", "-s", signal, Long.toString(tool.pid()))
                    .start()
                    .waitFor();

            assertThat(tool.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(tool.exitValue()).isZero();
            assertThat(ended).exists();
        } finally {
            tool.descendants().forEach(ProcessHandle::destroyForcibly);
            tool.destroyForcibly();
        }
    }

    @Test
    void theExitCodeOfAServiceThatEndsByItselfIsPassedOn() throws Exception {
        var tool = run("exit 7");

        assertThat(tool.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(tool.exitValue()).isEqualTo(7);
    }

    /** Where tests run in the background, SIGINT is ignored, and a shell cannot trap what it was started to ignore. */
    private static Process run(String script) throws IOException {
        return new ProcessBuilder("env", "--default-signal=INT", "sh", "tools/run", "sh", "-c", script).start();
    }
}
