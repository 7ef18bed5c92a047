package io.holdfast.kernel;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Limits concurrent work. Further work waits in a FIFO queue; cancelled work leaves the queue. */
public final class AsyncBulkhead {
    private final Queue<Permit> waiting = new ArrayDeque<>();
    private int available;

    public AsyncBulkhead(int max) {
        this.available = max;
    }

    public <T> Uni<T> run(Supplier<Uni<? extends T>> work) {
        return run(UnaryOperator.identity(), work);
    }

    /** @param tooLong the failure of work that has waited for {@code waitMax} and was not started */
    public <T> Uni<T> run(Duration waitMax, Supplier<Throwable> tooLong, Supplier<Uni<? extends T>> work) {
        return run(granted -> granted.ifNoItem().after(waitMax).failWith(tooLong), work);
    }

    private <T> Uni<T> run(UnaryOperator<Uni<Void>> waiting, Supplier<Uni<? extends T>> work) {
        return Uni.createFrom().deferred(() -> {
            var permit = new Permit();
            acquire(permit);
            return waiting.apply(Uni.createFrom().completionStage(permit.granted))
                    .<T>chain(work)
                    .onTermination()
                    .invoke(() -> release(permit));
        });
    }

    private synchronized void acquire(Permit permit) {
        if (available > 0) {
            available--;
            permit.grant();
        } else {
            waiting.add(permit);
        }
    }

    private void release(Permit permit) {
        if (permit.withdraw()) {
            remove(permit);
            return;
        }
        var next = next();
        // A permit that was withdrawn meanwhile cannot be granted; the next in the queue is.
        while (next != null && !next.grant()) {
            next = next();
        }
    }

    private synchronized void remove(Permit permit) {
        waiting.remove(permit);
    }

    private synchronized Permit next() {
        var next = waiting.poll();
        if (next == null) {
            available++;
        }
        return next;
    }

    /** Is granted or withdrawn, once. */
    private static final class Permit {
        private final CompletableFuture<Void> granted = new CompletableFuture<>();
        private final AtomicBoolean decided = new AtomicBoolean();

        boolean grant() {
            var first = decided.compareAndSet(false, true);
            if (first) {
                granted.complete(null);
            }
            return first;
        }

        boolean withdraw() {
            return decided.compareAndSet(false, true);
        }
    }
}
