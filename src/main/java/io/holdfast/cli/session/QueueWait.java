package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.output.CliException;
import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Waits in a lock's queue for longer than the service lets one request wait. Requests overlap: the next one is sent before
 * the last one ends, and takes over its place in the queue.
 */
final class QueueWait {
    /** The shortest wait to try if the service refuses longer ones. */
    private static final Duration REQUEST_MIN = Duration.ofSeconds(1);

    private final ApiClient api;
    private final LockRequest request;
    private Limits limits;
    private final Cancellation cancellation;

    /**
     * @param requestMax the longest wait of one request
     * @param overlap how long two requests share a place in the queue
     */
    record Limits(Duration requestMax, Duration overlap) {
        static final Limits DEFAULT = new Limits(Duration.ofMinutes(5), Duration.ofSeconds(3));

        Limits halved() {
            return new Limits(requestMax.dividedBy(2), overlap.dividedBy(2));
        }

        Duration untilNextRequest() {
            return requestMax.minus(overlap);
        }
    }

    private record PendingRequest(CompletableFuture<ApiResponse> answer, long sentNanos) {}

    QueueWait(ApiClient api, LockRequest request, Limits limits, Cancellation cancellation) {
        this.api = api;
        this.request = request;
        this.limits = limits;
        this.cancellation = cancellation;
    }

    /** @return the last answer: the locks, or why they were not granted until then */
    ApiResponse await(long untilNanos) {
        var response = overlapping(untilNanos);
        while (isRequestTooLong(response)) {
            limits = limits.halved();
            response = overlapping(untilNanos);
        }
        return response;
    }

    /** Whether the service refuses the wait of a request, because it is configured to allow shorter waits only. */
    private boolean isRequestTooLong(ApiResponse response) {
        return response.body().path("field").asText().equals("wait")
                && limits.requestMax().compareTo(REQUEST_MIN) > 0;
    }

    /** Sends one request after the other until the locks are granted, a request is refused, or the time is over. */
    private ApiResponse overlapping(long until) {
        var current = send(until);
        while (true) {
            var isLast = current.sentNanos() + limits.requestMax().toNanos() >= until;
            // The next request could not take over the places of a request for several locks.
            if (isLast || !request.isForOne()) {
                return join(current.answer());
            }
            var nextAt = current.sentNanos() + limits.untilNextRequest().toNanos();
            var response = within(current.answer(), nextAt - System.nanoTime());
            if (response != null) {
                return response;
            }
            var next = send(until);
            response = join(current.answer());
            if (response.isSuccess()) {
                // The next request gets the same lease. A disconnect before its answer could release the lease.
                awaitAnswer(next.answer());
                return response;
            }
            current = next;
        }
    }

    private PendingRequest send(long until) {
        var sent = System.nanoTime();
        var left = Duration.ofNanos(Math.max(0, until - sent));
        var wait = Durations.min(left, limits.requestMax());
        return new PendingRequest(api.postLater(request.path(), request.body(wait), wait), sent);
    }

    private void awaitAnswer(CompletableFuture<ApiResponse> answer) {
        try {
            within(answer, limits.overlap().toNanos());
        } catch (CliException failed) {
            // The lease is known from the request before.
        }
    }

    /** @return null if there is no answer within that time */
    private ApiResponse within(CompletableFuture<ApiResponse> answer, long nanos) {
        var timer = new CompletableFuture<Void>().completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
        cancellation.awaitOr(CompletableFuture.anyOf(answer, timer));
        return answer.isDone() || cancellation.isRequested() ? join(answer) : null;
    }

    /** When cancelled, disconnects: the service then removes the request from the queue. */
    private ApiResponse join(CompletableFuture<ApiResponse> answer) {
        cancellation.awaitOr(answer);
        if (cancellation.isRequested() && !answer.isDone()) {
            answer.cancel(true);
            throw cancellation.failure();
        }
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }
}
