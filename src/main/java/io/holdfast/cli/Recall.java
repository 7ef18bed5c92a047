package io.holdfast.cli;

import java.util.concurrent.CompletableFuture;

/** Calls back somebody who has set out to take a lock. */
final class Recall {
    private final CompletableFuture<Integer> signal = new CompletableFuture<>();

    /** Told twice, the program waits for nothing more and ends at once. */
    void by(int signalNumber) {
        if (!signal.complete(signalNumber)) {
            Runtime.getRuntime().halt(Exit.SIGNALLED + signalNumber);
        }
    }

    boolean isMade() {
        return signal.isDone();
    }

    /** Returns when either is there. */
    void awaitOr(CompletableFuture<?> other) {
        CompletableFuture.anyOf(signal, other).exceptionally(failed -> null).join();
    }

    /** How a command ends that was called back. */
    Failure failure() {
        return new Failure(Exit.SIGNALLED + signal.join(), "Told to stop before the lock was there.");
    }
}
