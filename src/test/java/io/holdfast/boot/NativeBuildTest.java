package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Settings of the native build that other tests can only see on the native program. */
class NativeBuildTest {
    /**
     * A handler that is installed before main hides whether the program was started to ignore that signal:
     * {@code ExecFacts.whatWeWereStartedToIgnoreTheCommandIgnoresToo} fails on a native program with one for SIGUSR1.
     */
    @Test
    void noSignalHandlersAreInstalledBeforeMain() throws IOException {
        assertThat(settings().getProperty("quarkus.native.monitoring")).isEqualTo("none");
        assertThat(settings().getProperty("quarkus.native.additional-build-args"))
                .doesNotContain("--enable-monitoring");
    }

    @Test
    void whatTheCommandLineReadsIsInTheProgram() throws IOException {
        assertThat(settings().getProperty("quarkus.native.resources.includes").split(","))
                .contains("cli/*");
    }

    private static Properties settings() throws IOException {
        var settings = new Properties();
        try (var file = Files.newBufferedReader(Path.of("src/main/resources/application.properties"))) {
            settings.load(file);
        }
        return settings;
    }
}
