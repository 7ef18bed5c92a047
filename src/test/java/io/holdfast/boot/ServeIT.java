package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast serve} starts the packaged program as a service, and {@code holdfast brake} speaks to it. */
class ServeIT {
    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://[^\\s,]+)");

    @TempDir
    Path folder;

    @Test
    void optionsOverrideTheEnvironmentAndSigtermIsTheEnd() {
        var ignored = folder.resolve("ignored");
        var used = folder.resolve("used");
        var environment = Map.of(
                "QUARKUS_HTTP_HOST",
                "127.0.0.1",
                "QUARKUS_HTTP_PORT",
                "1",
                "HOLDFAST_DATA_DIR",
                ignored.toString(),
                "HOLDFAST_DRAIN_DELAY",
                "0s");
        try (var serve = PackagedCommand.start(environment, "serve", "--port", "0", "--data-dir", used.toString())) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> LISTENING.matcher(serve.out()).find());
            var listening = LISTENING.matcher(serve.out());
            assertThat(listening.find()).isTrue();
            var server = Map.of("HOLDFAST_URL", listening.group(1));

            assertThat(run(server, "locks", "acquire", "served", "--owner", "ada"))
                    .contains("ada");
            assertThat(run(server, "brake", "show", "-o", "plain")).isEqualTo("paused\tfalse\nstops_last_hour\t0\n");
            assertThat(run(server, "brake", "pause", "--reason", "restore", "-o", "plain"))
                    .contains("paused\ttrue\n", "reason\trestore\n");
            assertThat(run(server, "brake", "resume", "-o", "plain")).contains("paused\tfalse\n");
            assertThat(used).isNotEmptyDirectory();
            assertThat(Files.exists(ignored)).isFalse();

            serve.process().destroy();
            assertThat(serve.awaitExit()).isEqualTo(143);
        }
    }

    private static String run(Map<String, String> environment, String... words) {
        try (var command = PackagedCommand.start(environment, words)) {
            assertThat(command.awaitExit()).as(command.err()).isZero();
            return command.out();
        }
    }
}
