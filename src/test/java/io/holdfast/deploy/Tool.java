package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that checks what is deployed. Where it is missing, the test is skipped; {@code make test} says so. */
enum Tool {
    KUBECTL("kubectl"),
    PROMTOOL("promtool");

    private final String program;

    Tool(String program) {
        this.program = program;
    }

    /** @param output what it printed on stdout and stderr */
    record Result(int exit, String output) {}

    Result run(String... arguments) {
        assumeTrue(isOnPath(), program + " is not on the PATH");
        var command =
                Stream.concat(Stream.of(program), Arrays.stream(arguments)).toList();
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private boolean isOnPath() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }
}
