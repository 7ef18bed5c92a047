package io.holdfast.cli.work;

import io.holdfast.cli.process.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The process that does the work of one job. It gets the claim as JSON on stdin. */
final class Handler {
    /** Longest time from the end of the process to the end of its output, which its background processes may keep open. */
    private static final Duration OUTPUT_MAX = Duration.ofSeconds(2);

    private final ChildProcess process;
    private final List<Thread> copying;

    private Handler(ChildProcess process, List<Thread> copying) {
        this.process = process;
        this.copying = copying;
    }

    /** @param notes gets the lines that are meant for Holdfast */
    static Handler start(List<String> command, ClaimedJob job, SlotOutput output, HandlerNotes notes) {
        var builder = new ProcessBuilder(command);
        if (!output.isPrefixed()) {
            builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        }
        var process = ChildProcess.start(builder, job.variables(), ClaimedJob.JOB_ID, ClaimedJob.EPOCH);
        thread("handler-in", () -> write(process, job));
        var out = thread("handler-out", () -> output.out(Optional.of(notes)).copy(process.out()));
        var err = thread("handler-err", () -> copyErr(process.err(), output));
        return new Handler(process, List.of(out, err));
    }

    private static Thread thread(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }

    /** On a thread of its own, because a handler need not read. */
    private static void write(ChildProcess process, ClaimedJob job) {
        try (var in = process.in()) {
            in.write((job.json() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException notRead) {
            // The handler has ended or has closed its stdin.
        }
    }

    private static void copyErr(InputStream err, SlotOutput output) {
        output.err().copy(err);
    }

    void whenEnded(Runnable listener) {
        process.whenEnded(listener);
    }

    boolean hasEnded() {
        return process.hasEnded();
    }

    /** Its exit code, after all that it has written was copied. */
    int exitCode() throws InterruptedException {
        var until = System.nanoTime() + OUTPUT_MAX.toNanos();
        for (var one : copying) {
            one.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
        }
        return process.exitCode();
    }

    /** Sends SIGKILL, unless the process has ended. */
    void kill() throws InterruptedException {
        process.kill();
    }

    /** @param hurry whether to send SIGKILL before the grace is over */
    void stop(Duration grace, BooleanSupplier hurry) throws InterruptedException {
        process.stop(grace, hurry);
    }
}
