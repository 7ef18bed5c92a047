package io.holdfast.cli.retry;

import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.output.CliException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;

/** Waits for the answer to a request, for a time that may become shorter meanwhile. */
public final class PendingAnswer {
    private PendingAnswer() {}

    /**
     * @param wakeup woken when the time may have become shorter
     * @param nanosLeft the time left; when it is over, the request is given up
     * @param server for the error sentence
     * @throws CliException if there is no answer
     */
    public static ApiResponse await(
            CompletableFuture<ApiResponse> answer, Wakeup wakeup, LongSupplier nanosLeft, String server)
            throws InterruptedException {
        answer.whenComplete((response, failure) -> wakeup.wake());
        while (!answer.isDone()) {
            var left = nanosLeft.getAsLong();
            if (left <= 0) {
                answer.cancel(true);
                throw CliException.inDoubt(server + " did not answer in time.");
            }
            wakeup.await(left);
        }
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }
}
