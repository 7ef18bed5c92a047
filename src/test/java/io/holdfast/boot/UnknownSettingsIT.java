package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Misspelt settings, in each place that the packaged program reads settings from. */
class UnknownSettingsIT {
    @TempDir
    Path folder;

    @BeforeEach
    void misspell() throws IOException {
        Files.createDirectories(folder.resolve("config"));
        Files.writeString(
                folder.resolve("config/application.properties"), "holdfast.wait.maxx=1m\nholdfast.table=fine\n");
        Files.writeString(folder.resolve(".env"), "HOLDFAST_HOLD_TICKMAX=5s\n");
    }

    @Test
    void theyAreNamedAtStartAndByTheDoctorAndTheServiceRuns() {
        try (var program = launch(Map.of())) {
            program.awaitReady();

            assertThat(program.output())
                    .contains(warning("HOLDFAST_LOCK_TTL_DEFUALT", "HOLDFAST_LOCK_TTL_DEFAULT", "environment"))
                    .contains(warning("holdfast.sweep.step-sise", "holdfast.sweep.step-size", "system properties"))
                    .contains("setting=holdfast.wait.maxx nearest=holdfast.wait.max source=")
                    .contains("config/application.properties\"")
                    .contains("setting=HOLDFAST_HOLD_TICKMAX nearest=HOLDFAST_HOLD_TICK_MAX source=")
                    .doesNotContain("HOLDFAST_SERVICE", "HOLDFAST_PORT", "setting=holdfast.table");
            try (var calls = new ProgramCalls(program.address())) {
                assertThat(calls.get("/v1/about").body().at("/unknown_settings").findValuesAsText("name"))
                        .containsExactlyInAnyOrder(
                                "HOLDFAST_LOCK_TTL_DEFUALT",
                                "holdfast.sweep.step-sise",
                                "holdfast.wait.maxx",
                                "HOLDFAST_HOLD_TICKMAX");
            }
            try (var doctor = PackagedCommand.start(
                    Map.of("HOLDFAST_URL", program.address().toString(), "HOLDFAST_ONWER", "x"), "doctor")) {
                assertThat(doctor.awaitExit()).as(doctor.err()).isZero();
                assertThat(doctor.out())
                        .contains("at the service: HOLDFAST_LOCK_TTL_DEFUALT is not a setting;"
                                + " did you mean HOLDFAST_LOCK_TTL_DEFAULT?")
                        .contains("here: HOLDFAST_ONWER is not a setting; did you mean HOLDFAST_OWNER?");
            }
        }
    }

    @Test
    void aStrictServiceDoesNotStartWithThem() {
        try (var program = launch(Map.of("HOLDFAST_STRICT", "true"))) {
            assertThat(program.awaitExit()).isNotZero();
            assertThat(program.output().lines().toList().getLast())
                    .startsWith("Holdfast cannot start: ")
                    .contains("HOLDFAST_LOCK_TTL_DEFUALT is not a setting; did you mean HOLDFAST_LOCK_TTL_DEFAULT?")
                    .endsWith(" Correct or remove it, or set HOLDFAST_STRICT=false.");
        }
    }

    private PackagedProgram launch(Map<String, String> more) {
        var environment = new HashMap<>(Map.of(
                "HOLDFAST_DATA_DIR",
                PackagedProgram.newDataFolder().toString(),
                "HOLDFAST_LOCK_TTL_DEFUALT",
                "10m",
                "HOLDFAST_SERVICE_HOST",
                "10.0.0.1",
                "HOLDFAST_SERVICE_PORT_HTTP",
                "8080",
                "HOLDFAST_PORT",
                "tcp://10.0.0.1:8080",
                "HOLDFAST_PORT_8080_TCP_ADDR",
                "10.0.0.1"));
        environment.putAll(more);
        var command = new ArrayList<>(PackagedProgram.command(StartUpArchive.flags()));
        // Behind the program of a native one, before the jar of the other.
        command.add(1, "-Dholdfast.sweep.step-sise=5");
        return PackagedProgram.launch(new ProcessBuilder(command).directory(folder.toFile()), environment);
    }

    private static String warning(String setting, String nearest, String source) {
        return "Unknown setting ignored setting=%s nearest=%s source=\"%s\"".formatted(setting, nearest, source);
    }
}
