package io.holdfast.remote;

import io.smallrye.mutiny.Uni;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Runs blocking work on worker threads. Work that times out or is cancelled before a thread is free is not started.
 */
public final class BlockingWork {
    private BlockingWork() {}

    /** Fails with {@link TooLateException} after the deadline, and {@link RejectedExecutionException} if overloaded. */
    public static <T> Uni<T> run(Executor threads, Deadline deadline, Supplier<T> work) {
        return Uni.createFrom().emitter(emitter -> {
            var task = new FutureTask<Void>(
                    () -> {
                        try {
                            emitter.complete(inTime(deadline, work));
                        } catch (RuntimeException | Error e) {
                            emitter.fail(e);
                        }
                    },
                    null);
            emitter.onTermination(() -> task.cancel(false));
            try {
                threads.execute(task);
            } catch (RejectedExecutionException e) {
                emitter.fail(e);
            }
        });
    }

    private static <T> T inTime(Deadline deadline, Supplier<T> work) {
        if (deadline.isOver()) {
            throw new TooLateException();
        }
        return work.get();
    }
}
