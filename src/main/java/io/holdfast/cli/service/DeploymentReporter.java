package io.holdfast.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.retry.Backoff;
import io.holdfast.cli.retry.FailureNotes;
import io.holdfast.cli.retry.PendingAnswer;
import io.holdfast.cli.retry.Wakeup;
import java.time.Duration;
import java.util.Set;

/** Reports how a deployment has ended, until the service answers or the time is over. The service accepts a repetition. */
final class DeploymentReporter {
    /** Refusals that say nothing of this request: another writer was at work. */
    static final Set<String> OTHER_WRITER = Set.of("lock-conflict", "version-conflict");

    /** Refusals by which the deployment has another end. */
    private static final Set<String> LASTING = Set.of("stale-epoch", "illegal-transition", "not-found");

    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_MAX = Duration.ofSeconds(10);
    private static final int MOVES_MAX = 100;

    private final ApiClient api;
    private final Duration timeout;
    private final DeploymentSignals signals;
    private final Wakeup wakeup;
    private final FailureNotes failures;

    /** @param timeout how long a report is repeated */
    DeploymentReporter(
            ApiClient api, Duration timeout, DeploymentSignals signals, Wakeup wakeup, FailureNotes failures) {
        this.api = api;
        this.timeout = timeout;
        this.signals = signals;
        this.wakeup = wakeup;
        this.failures = failures;
    }

    sealed interface Outcome {
        record Accepted() implements Outcome {}

        /** Another writer has ended the deployment, or a later one has begun. */
        record Refused(String sentence) implements Outcome {}

        /** It may have been written. */
        record NotReported(String sentence) implements Outcome {}
    }

    Outcome send(Deployment deployment, DeploymentResult result) throws InterruptedException {
        signals.beginReport();
        var until = System.nanoTime() + timeout.toNanos();
        var backoff = new Backoff(RETRY_FIRST, RETRY_MAX);
        var inDoubt = false;
        while (true) {
            CliException failure;
            try {
                var answer = PendingAnswer.await(
                        api.postLater(deployment.path("result"), result.body(deployment), Duration.ZERO),
                        wakeup,
                        signals::nanosLeft,
                        api.server());
                if (answer.isSuccess()) {
                    failures.answered();
                    return new Outcome.Accepted();
                }
                failure = answer.failure();
                if (LASTING.contains(answer.code())) {
                    return inDoubt && isWritten(deployment, result)
                            ? new Outcome.Accepted()
                            : new Outcome.Refused(failure.getMessage());
                }
                var isTemporary = answer.isTemporary() || OTHER_WRITER.contains(answer.code());
                if (!isTemporary && !answer.code().isEmpty()) {
                    return new Outcome.NotReported(failure.getMessage());
                }
            } catch (CliException unanswered) {
                failure = unanswered;
            }
            inDoubt = inDoubt || failure.isInDoubt();
            var left = Math.min(until - System.nanoTime(), signals.nanosLeft());
            if (left <= 0) {
                return new Outcome.NotReported(failure.getMessage());
            }
            failures.failed(failure.getMessage());
            pause(Math.min(left, backoff.nextNanos()));
        }
    }

    /** A report whose answer was lost may have been written before a later deployment began. */
    private boolean isWritten(Deployment deployment, DeploymentResult result) {
        try {
            var history = api.get(deployment.path("history") + "?limit=" + MOVES_MAX);
            for (JsonNode move : history.body().path("moves")) {
                if (result.isThatOf(move, deployment)) {
                    return true;
                }
            }
        } catch (CliException unanswered) {
            // The refusal counts.
        }
        return false;
    }

    private void pause(long nanos) throws InterruptedException {
        var until = System.nanoTime() + nanos;
        var urgent = signals.isUrgent();
        for (var left = nanos; left > 0 && urgent == signals.isUrgent(); left = until - System.nanoTime()) {
            wakeup.await(left);
        }
    }
}
