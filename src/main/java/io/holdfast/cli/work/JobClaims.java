package io.holdfast.cli.work;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.retry.Backoff;
import io.holdfast.cli.retry.FailureNotes;
import io.holdfast.cli.retry.Wakeup;
import io.holdfast.http.wire.job.ClaimBody;
import io.holdfast.http.wire.job.ClaimJobBody;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Claims jobs for one slot. A request waits at the service for a job. A failed request is repeated under the same name: if the
 * service had granted a job and only the answer was lost, the repetition finds it.
 */
final class JobClaims {
    private static final String PATH = "/v1/jobs/claim";

    /** The longest wait of one request, unless the service allows only a shorter one. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final Duration WAIT_MIN = Duration.ofSeconds(1);
    private static final Duration RETRY_FIRST = Duration.ofSeconds(1);
    private static final Duration RETRY_MAX = Duration.ofSeconds(30);

    /** An answer without a job that comes sooner did not wait, such as that of a replica that shuts down. */
    private static final long WAITED_NANOS_MIN = Duration.ofSeconds(1).toNanos();

    /** How long a worker that is to stop asks for a claim whose answer it may have missed. */
    private static final Duration MISSED_MAX = Duration.ofSeconds(2);

    private final ApiClient api;
    private final WorkTerms terms;
    private final String worker;
    private final WorkerStop stop;
    private final Wakeup wakeup;
    private final FailureNotes failures;
    private final Backoff backoff = new Backoff(RETRY_FIRST, RETRY_MAX);
    private Duration wait = WAIT_MAX;

    /** @param wakeup woken when the worker is to stop */
    JobClaims(ApiClient api, WorkTerms terms, String worker, WorkerStop stop, Wakeup wakeup, FailureNotes failures) {
        this.api = api;
        this.terms = terms;
        this.worker = worker;
        this.stop = stop;
        this.wakeup = wakeup;
        this.failures = failures;
    }

    /** What a slot does when the service says that it runs a job, although it does not. */
    interface BusyListener {
        void busy() throws InterruptedException;
    }

    /**
     * Blocks until there is a job. Empty if the worker is to stop.
     *
     * @throws CliException if the service refuses the request, and would refuse it again
     */
    Optional<ClaimedJob> next(BusyListener listener) throws InterruptedException {
        while (!stop.isRequested()) {
            var sent = System.nanoTime();
            try {
                var answer = send(terms.labels(), wait);
                if (!awaitUnlessStopped(answer)) {
                    answer.cancel(true);
                    return missed();
                }
                var response = joined(answer);
                if (isBusy(response)) {
                    listener.busy();
                }
                var job = claimed(response, sent);
                if (job.isPresent()) {
                    return job;
                }
            } catch (CliException failure) {
                if (!failure.isTemporary()) {
                    throw failure;
                }
                failures.failed(failure.getMessage());
                pause();
            }
        }
        return Optional.empty();
    }

    private CompletableFuture<ApiResponse> send(Map<String, String> labels, Duration waitFor) {
        var body = new ClaimJobBody(worker, terms.types(), labels, DurationText.wire(waitFor));
        var answer = api.postLater(PATH, body, waitFor);
        answer.whenComplete((response, failure) -> wakeup.wake());
        return answer;
    }

    /** @return false if the worker is to stop and there is no answer yet */
    private boolean awaitUnlessStopped(CompletableFuture<ApiResponse> answer) throws InterruptedException {
        while (!answer.isDone() && !stop.isRequested()) {
            wakeup.await(WAIT_MAX.toNanos());
        }
        return answer.isDone();
    }

    private static ApiResponse joined(CompletableFuture<ApiResponse> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }

    private Optional<ClaimedJob> claimed(ApiResponse response, long sent) throws InterruptedException {
        if (response.isSuccess()) {
            var job = job(response, sent);
            failures.answered();
            backoff.reset();
            if (job.isEmpty() && System.nanoTime() - sent < WAITED_NANOS_MIN) {
                pause();
            }
            return job;
        }
        if (response.body().path("field").asText().equals("wait") && wait.isPositive()) {
            var half = wait.dividedBy(2);
            wait = half.compareTo(WAIT_MIN) < 0 ? Duration.ZERO : half;
            return Optional.empty();
        }
        var failure = response.failure();
        // A limit of the service may be over soon. A run that was not reported ends when its lease has expired.
        throw response.isTemporary() || isBusy(response)
                ? new CliException(Exit.UNAVAILABLE, failure.getMessage())
                : failure;
    }

    /** Whether a run under this name has not ended: the last one of this slot, or one of another process. */
    private static boolean isBusy(ApiResponse response) {
        return response.code().equals("worker-busy");
    }

    /** Empty if there is nothing to do. */
    private Optional<ClaimedJob> job(ApiResponse response, long sent) {
        if (response.status() == 204) {
            return Optional.empty();
        }
        var claim = api.read(response.body(), ClaimBody.class);
        return Optional.of(new ClaimedJob(response.body(), claim, worker, sent, System.nanoTime()));
    }

    /**
     * The job that the service may have granted to the request that was cancelled. No cluster has the label that is asked
     * for, so the service answers only with a job that it has already granted under this name.
     */
    private Optional<ClaimedJob> missed() throws InterruptedException {
        var sent = System.nanoTime();
        var answer = send(Map.of("holdfast/stopping", UUID.randomUUID().toString()), Duration.ZERO);
        while (!answer.isDone() && !stop.isUrgent()) {
            var left = sent + MISSED_MAX.toNanos() - System.nanoTime();
            if (left <= 0) {
                break;
            }
            wakeup.await(left);
        }
        if (!answer.isDone()) {
            answer.cancel(true);
            return Optional.empty();
        }
        try {
            var response = joined(answer);
            return response.isSuccess() ? job(response, sent) : Optional.empty();
        } catch (CliException unanswered) {
            // If there was such a job, its lease expires.
            return Optional.empty();
        }
    }

    private void pause() throws InterruptedException {
        var until = System.nanoTime() + backoff.nextNanos();
        for (var left = until - System.nanoTime(); left > 0 && !stop.isRequested(); left = until - System.nanoTime()) {
            wakeup.await(left);
        }
    }
}
