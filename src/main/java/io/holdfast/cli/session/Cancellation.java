package io.holdfast.cli.session;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import java.util.concurrent.CompletableFuture;

/** Calls back somebody who has set out to take a lock. */
public final class Cancellation {
    private final CompletableFuture<Integer> signal = new CompletableFuture<>();

    /** Told twice, the program waits for nothing more and ends at once. */
    public void by(int signalNumber) {
        if (!signal.complete(signalNumber)) {
            Runtime.getRuntime().halt(Exit.SIGNALLED + signalNumber);
        }
    }

    public boolean isMade() {
        return signal.isDone();
    }

    /** Returns when either is there. */
    void awaitOr(CompletableFuture<?> other) {
        CompletableFuture.anyOf(signal, other).exceptionally(failed -> null).join();
    }

    /** How a command ends that was called back. */
    public CliException failure() {
        return new CliException(Exit.SIGNALLED + signal.join(), "Told to stop before the lock was there.");
    }
}
