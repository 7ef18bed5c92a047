package io.holdfast.probe;

import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Lets so many go at once; the others wait, the longest waiting first. One that is cancelled leaves its place. */
final class AsyncBulkhead {
    private final Queue<Turn> waiting = new ArrayDeque<>();
    private int free;

    AsyncBulkhead(int max) {
        this.free = max;
    }

    <T> Uni<T> inTurn(Supplier<Uni<? extends T>> work) {
        return Uni.createFrom().deferred(() -> {
            var turn = new Turn();
            ask(turn);
            return Uni.createFrom()
                    .completionStage(turn.start)
                    .<T>chain(work)
                    .onTermination()
                    .invoke(() -> end(turn));
        });
    }

    private synchronized void ask(Turn turn) {
        if (free > 0) {
            free--;
            turn.give();
        } else {
            waiting.add(turn);
        }
    }

    private void end(Turn turn) {
        if (turn.leave()) {
            forget(turn);
            return;
        }
        var next = next();
        // One that left in this very moment does not take the turn; somebody behind it does.
        while (next != null && !next.give()) {
            next = next();
        }
    }

    private synchronized void forget(Turn turn) {
        waiting.remove(turn);
    }

    private synchronized Turn next() {
        var next = waiting.poll();
        if (next == null) {
            free++;
        }
        return next;
    }

    /** Given or left, whichever comes first, and only once. */
    private static final class Turn {
        private final CompletableFuture<Void> start = new CompletableFuture<>();
        private final AtomicBoolean settled = new AtomicBoolean();

        boolean give() {
            var given = settled.compareAndSet(false, true);
            if (given) {
                start.complete(null);
            }
            return given;
        }

        boolean leave() {
            return settled.compareAndSet(false, true);
        }
    }
}
