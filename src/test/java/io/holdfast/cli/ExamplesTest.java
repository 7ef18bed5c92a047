package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the help shows as an example can be typed as it stands. */
@QuarkusTest
class ExamplesTest {
    private static final Pattern LINE = Pattern.compile("(?:echo '([^']*)' \\| )?holdfast (.*)");

    private final Shell shell = new ShellInProcess(World.Terminals.NONE);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apps",
                "apps list",
                "apps show",
                "apps put",
                "apps rm",
                "apps stop",
                "apps start",
                "databases",
                "databases list",
                "databases show",
                "databases decisions",
                "databases put",
                "databases rm",
                "status",
                "doctor",
            })
    void theExampleWorks(String command) {
        var help = type("", command + " --help").out();

        var lines = help.substring(help.indexOf("Example:\n")).lines().skip(1).toList();

        assertThat(lines).isNotEmpty().last().asString().contains("holdfast " + command);
        for (var line : lines) {
            var parts = LINE.matcher(line.strip());
            assertThat(parts.matches()).as(line).isTrue();
            var result = type(parts.group(1) == null ? "" : parts.group(1), parts.group(2));
            assertThat(result.exit()).as(line + "\n" + result).isZero();
        }
    }

    private Shell.Result type(String input, String words) {
        return shell.run(Map.of("HOLDFAST_URL", CliCalls.server()), input, words.split(" "));
    }
}
