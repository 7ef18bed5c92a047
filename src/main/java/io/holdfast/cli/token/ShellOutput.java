package io.holdfast.cli.token;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Output;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Runs a command by the shell and reads a token from its stdout. Neither stdout nor the command is ever shown. */
final class ShellOutput {
    private static final int STDOUT_BYTES_MAX = 2 * Token.LENGTH_MAX;
    private static final int STDERR_BYTES_MAX = 64 * 1024;

    /** The end of the stderr is shown, where most programs say why they failed. */
    private static final int STDERR_SHOWN_MAX = 500;

    private static final Duration STDERR_WAIT_MAX = Duration.ofSeconds(1);

    private static final Pattern JWT = Pattern.compile("eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");

    private final String command;
    private final Duration timeout;

    ShellOutput(String command, Duration timeout) {
        this.command = command;
        this.timeout = timeout;
    }

    /**
     * Blocks until the command has ended and closed its stdout.
     *
     * @throws CliException if there is no token within the timeout
     */
    Token token() {
        var process = start();
        try {
            var out = read(process.getInputStream(), STDOUT_BYTES_MAX);
            var err = read(process.getErrorStream(), STDERR_BYTES_MAX);
            var text = CompletableFuture.allOf(out, process.onExit())
                    .thenApply(done -> out.join())
                    .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            // A process that the command has left behind may keep stderr open.
            var said = err.completeOnTimeout("", STDERR_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return token(process.exitValue(), text, said.join());
        } catch (TimeoutException e) {
            throw failed(
                    "did not end within %s (HOLDFAST_TOKEN_COMMAND_TIMEOUT)".formatted(DurationText.words(timeout)));
        } catch (ExecutionException e) {
            throw failed("could not be read");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(Exit.FAILED, "Interrupted.");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Process start() {
        var builder = new ProcessBuilder("sh", "-c", command).redirectInput(new File("/dev/null"));
        // If the command is itself a client of the service, it must not run this command again.
        builder.environment().put(TokenSource.COMMAND_VARIABLE, "");
        try {
            return builder.start();
        } catch (IOException e) {
            throw failed("cannot be run: there is no sh");
        }
    }

    /** Reads on a thread of its own, up to the end. Keeps the first bytes. */
    private static CompletableFuture<String> read(InputStream in, int bytesMax) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        var bytes = in.readNBytes(bytesMax);
                        in.transferTo(OutputStream.nullOutputStream());
                        return new String(bytes, StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                task -> Thread.ofPlatform().daemon().name("token-command").start(task));
    }

    private static Token token(int exitCode, String out, String err) {
        var said = shown(out, err);
        if (exitCode != 0) {
            throw failed("failed with exit code %d%s".formatted(exitCode, said));
        }
        if (out.isBlank()) {
            throw failed("wrote no token to stdout" + said);
        }
        return Token.parse(out).orElseThrow(() -> failed("must write %s to stdout".formatted(Token.ALLOWED)));
    }

    /** Some programs repeat the token on stderr. */
    private static String shown(String out, String err) {
        var written = out.strip();
        var hidden = written.isEmpty() ? err : err.replace(written, "[token]");
        var line = Output.oneLine(JWT.matcher(hidden).replaceAll("[token]").strip());
        var end = line.substring(Math.max(0, line.length() - STDERR_SHOWN_MAX)).replaceFirst("\\.$", "");
        return end.isEmpty() ? "" : ": " + end;
    }

    private static CliException failed(String why) {
        return new CliException(Exit.UNAUTHENTICATED, "%s %s.".formatted(TokenSource.COMMAND_VARIABLE, why));
    }
}
