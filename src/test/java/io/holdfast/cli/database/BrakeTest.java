package io.holdfast.cli.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.OddServer;
import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pausing all stops; {@code ServeIT} does it at a real service. */
class BrakeTest {
    private final OddServer service =
            new OddServer().answering("/v1/brake", "{\"paused\":true,\"reason\":\"tonight\",\"stops_last_hour\":3}");

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void itIsShown() {
        assertThat(run("brake", "show").out())
                .isEqualTo(
                        """
                        paused           true
                        reason           tonight
                        stops_last_hour  3
                        """);
        assertThat(service.asked()).containsExactly(new OddServer.Asked("GET", "/v1/brake", ""));
    }

    @Test
    void pausingNeedsAReason() {
        assertThat(run("brake", "pause").exit()).isEqualTo(Exit.USAGE);
        for (var blank : List.of("", " ")) {
            var refused = run("brake", "pause", "--reason", blank);
            assertThat(refused.exit()).isEqualTo(Exit.USAGE);
            assertThat(refused.err()).startsWith("holdfast: --reason must not be blank.");
        }
        assertThat(service.asked()).isEmpty();

        assertThat(run("brake", "pause", "--reason", "tonight").exit()).isZero();
        assertThat(service.asked())
                .containsExactly(new OddServer.Asked("PUT", "/v1/brake", "{\"paused\":true,\"reason\":\"tonight\"}"));
    }

    @Test
    void resumingNeedsNone() {
        assertThat(run("brake", "resume", "-o", "json").exit()).isZero();
        assertThat(service.asked()).containsExactly(new OddServer.Asked("PUT", "/v1/brake", "{\"paused\":false}"));
    }

    private Shell.Result run(String... words) {
        return new ShellInProcess(CliEnvironment.Terminals.NONE).run(Map.of("HOLDFAST_URL", service.url()), "", words);
    }
}
