package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs {@code holdfast exec} as a process on one service. Names of locks are each fact's own. */
abstract class ExecCalls {
    final PackagedProgram program;
    final ProgramCalls calls;
    final Path folder;

    /** @param folder for this one alone */
    ExecCalls(PackagedProgram program, ProgramCalls calls, Path folder) {
        this.program = program;
        this.calls = calls;
        this.folder = folder;
    }

    final Map<String, String> environment() {
        return Map.of("HOLDFAST_URL", program.address().toString());
    }

    final PackagedCommand exec(String... words) {
        return exec(environment(), words);
    }

    /** A script, under one lock. */
    final PackagedCommand execShell(String lock, String script) {
        return exec("--lock", lock, "--", "sh", "-c", script);
    }

    static PackagedCommand execOver(Wire wire, String... words) {
        return exec(Map.of("HOLDFAST_URL", wire.address()), words);
    }

    private static PackagedCommand exec(Map<String, String> environment, String... words) {
        var all = new ArrayList<>(List.of("exec"));
        all.addAll(Arrays.asList(words));
        return PackagedCommand.start(environment, all.toArray(String[]::new));
    }

    /** For a shell: says that it is there, and waits for us. */
    static String until(Path ready, Path done) {
        return "touch %s; while [ ! -e %s ]; do sleep 0.05; done".formatted(ready, done);
    }

    final void force(String lock) {
        var token = calls.get("/v1/locks/" + lock).token();
        assertThat(calls.delete("/v1/locks/%s?force=true&reason=stuck&fencing_token=%d".formatted(lock, token))
                        .status())
                .isEqualTo(200);
    }

    final String status(String lock) {
        return calls.get("/v1/locks/" + lock).text("status");
    }

    static void signal(PackagedCommand command, String signal) throws IOException {
        kill(signal, command.process().pid());
    }

    static void kill(String signal, long pid) throws IOException {
        try {
            assertThat(new ProcessBuilder("kill", "-s", signal, Long.toString(pid))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static long number(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).strip());
    }

    static void awaitUntil(Callable<Boolean> condition) {
        await().until(condition);
    }
}
