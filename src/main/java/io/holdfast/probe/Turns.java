package io.holdfast.probe;

import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Lets so many go at once; the others wait, the longest waiting first. One that is cancelled leaves its place. */
final class Turns {
    private final Queue<CompletableFuture<Void>> waiting = new ArrayDeque<>();
    private int free;

    Turns(int max) {
        this.free = max;
    }

    <T> Uni<T> inTurn(Supplier<Uni<? extends T>> work) {
        return Uni.createFrom().deferred(() -> {
            var turn = ask();
            return Uni.createFrom()
                    .completionStage(turn)
                    .<T>chain(work)
                    .onTermination()
                    .invoke(() -> end(turn));
        });
    }

    private synchronized CompletableFuture<Void> ask() {
        var turn = new CompletableFuture<Void>();
        if (free > 0) {
            free--;
            turn.complete(null);
        } else {
            waiting.add(turn);
        }
        return turn;
    }

    private void end(CompletableFuture<Void> turn) {
        if (turn.cancel(false)) {
            forget(turn);
            return;
        }
        var next = next();
        // One that was cancelled in this very moment does not take the turn; somebody behind it does.
        while (next != null && !next.complete(null)) {
            next = next();
        }
    }

    private synchronized void forget(CompletableFuture<Void> turn) {
        waiting.remove(turn);
    }

    private synchronized CompletableFuture<Void> next() {
        var next = waiting.poll();
        if (next == null) {
            free++;
        }
        return next;
    }
}
