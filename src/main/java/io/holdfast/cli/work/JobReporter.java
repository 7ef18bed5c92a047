package io.holdfast.cli.work;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.retry.Backoff;
import io.holdfast.cli.retry.PendingAnswer;
import io.holdfast.cli.retry.Wakeup;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Reports how a run has ended. A report without an answer is repeated until the lease is over, or, once the worker is to stop,
 * for a while. The service accepts the repetition of a report.
 */
final class JobReporter {
    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_MAX = Duration.ofSeconds(10);

    private final ApiClient api;
    private final Duration stopGrace;
    private final WorkerStop stop;
    private final Wakeup wakeup;

    /** @param wakeup woken when the worker is to stop */
    JobReporter(ApiClient api, Duration stopGrace, WorkerStop stop, Wakeup wakeup) {
        this.api = api;
        this.stopGrace = stopGrace;
        this.stop = stop;
        this.wakeup = wakeup;
    }

    sealed interface Outcome {
        /** @param body the service's answer */
        record Accepted(JsonNode body) implements Outcome {}

        /** The worker no longer runs the job. */
        record Stale(String sentence) implements Outcome {}

        /** The job runs until its lease expires, as far as the service knows. */
        record NotReported(String sentence) implements Outcome {}
    }

    /** @param remaining the time until the lease is over; sends once even if it is zero */
    Outcome send(ClaimedJob job, JobReport report, Supplier<Duration> remaining) throws InterruptedException {
        var begun = System.nanoTime();
        var backoff = new Backoff(RETRY_FIRST, RETRY_MAX);
        var current = report;
        while (true) {
            String failure;
            try {
                var response =
                        answer(api.postLater(job.path(current.action()), current.body(job.epoch()), Duration.ZERO));
                if (response.isSuccess()) {
                    return new Outcome.Accepted(response.body());
                }
                if (JobLease.isStale(response)) {
                    return new Outcome.Stale(response.sentence());
                }
                failure = response.failure().getMessage();
                if (!response.isTemporary() && !response.code().isEmpty()) {
                    var shorter = current.withoutDetails();
                    if (shorter.isEmpty()) {
                        return new Outcome.NotReported(failure);
                    }
                    current = shorter.get();
                    continue;
                }
            } catch (CliException unanswered) {
                failure = unanswered.getMessage();
            }
            var left = Math.min(remaining.get().toNanos(), stop.reportNanosLeft(begun, stopGrace));
            if (left <= 0) {
                return new Outcome.NotReported(failure);
            }
            pause(Math.min(left, backoff.nextNanos()));
        }
    }

    /** Does not wait for the whole timeout if the worker is to stop at once. */
    private ApiResponse answer(CompletableFuture<ApiResponse> answer) throws InterruptedException {
        var begun = System.nanoTime();
        return PendingAnswer.await(
                answer,
                wakeup,
                () -> stop.isUrgent() ? stop.reportNanosLeft(begun, stopGrace) : Long.MAX_VALUE,
                api.server());
    }

    private void pause(long nanos) throws InterruptedException {
        var until = System.nanoTime() + nanos;
        var urgent = stop.isUrgent();
        for (var left = nanos; left > 0 && urgent == stop.isUrgent(); left = until - System.nanoTime()) {
            wakeup.await(left);
        }
    }
}
