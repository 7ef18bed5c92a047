package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which settings the options of {@code serve} become; {@code ServeIT} starts a real service. */
class ServeTest {
    private final List<Map<String, String>> served = new ArrayList<>();

    @Test
    void optionsBecomeSettings() {
        assertThat(run("serve", "--port", "0", "--data-dir", "a b")).isEqualTo(42);

        assertThat(served).containsExactly(Map.of("quarkus.http.port", "0", "holdfast.data-dir", "a b"));
    }

    @Test
    void withoutOptionsNothingIsOverridden() {
        assertThat(run("serve")).isEqualTo(42);

        assertThat(served).containsExactly(Map.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--port -1", "--port 65536", "--port http", "--data-dir  ", "now"})
    void whatCannotBeMeantStartsNothing(String words) {
        assertThat(run(("serve " + words).split(" ", 3))).isEqualTo(Exit.USAGE);

        assertThat(served).isEmpty();
    }

    private int run(String... words) {
        var nowhere = new PrintStream(OutputStream.nullOutputStream());
        var streams = new CliEnvironment.Streams(
                InputStream.nullInputStream(), nowhere, nowhere, CliEnvironment.Terminals.NONE);
        return Cli.run(
                new CliEnvironment(Map.of(), streams, Clock.systemUTC(), listener -> {}, timeout -> null, settings -> {
                    served.add(settings);
                    return 42;
                }),
                words);
    }
}
