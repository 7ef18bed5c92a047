package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The disk of a packaged program, which a test lets fail: a limit on the size of its files makes SQLite's writes fail
 * with an I/O error. The limit is set and lifted while the program runs, which needs {@code prlimit} of util-linux.
 */
public final class FailingDisk {
    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final PackagedProgram program;

    public FailingDisk(PackagedProgram program) {
        this.program = program;
    }

    public static void assumePossible() {
        assumeTrue(Files.isExecutable(PRLIMIT), "There is no prlimit.");
        assumeFalse(PackagedProgram.isNative(), "Only a JVM is known to survive the signal that comes with the error.");
    }

    /** Every write fails from now on. */
    public void fail() {
        limitFilesTo(1);
    }

    /** A write beyond this size fails. */
    void limitFilesTo(long bytes) {
        limitFilesTo(Long.toString(bytes));
    }

    public void heal() {
        limitFilesTo("unlimited");
    }

    /** The soft limit alone, so that it can be lifted again. */
    private void limitFilesTo(String limit) {
        var pid = Long.toString(program.handle().pid());
        try {
            var process = new ProcessBuilder(PRLIMIT.toString(), "--pid", pid, "--fsize=" + limit + ":")
                    .inheritIO()
                    .start();
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a limit was set", e);
        }
    }
}
