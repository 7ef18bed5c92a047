package io.holdfast.cli.session;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import java.util.concurrent.CompletableFuture;

/** Cancels an acquisition when a signal arrives. Thread-safe. */
public final class Cancellation {
    private final CompletableFuture<Integer> signal = new CompletableFuture<>();

    /** Requests the cancellation. The second request ends the process at once. */
    public void request(int signalNumber) {
        if (!signal.complete(signalNumber)) {
            Runtime.getRuntime().halt(Exit.SIGNALLED + signalNumber);
        }
    }

    public boolean isRequested() {
        return signal.isDone();
    }

    /** Blocks until the cancellation is requested or {@code other} completes. */
    void awaitOr(CompletableFuture<?> other) {
        CompletableFuture.anyOf(signal, other).exceptionally(failed -> null).join();
    }

    public CliException failure() {
        return new CliException(Exit.SIGNALLED + signal.join(), "Stopped by a signal before the lock was acquired.");
    }
}
