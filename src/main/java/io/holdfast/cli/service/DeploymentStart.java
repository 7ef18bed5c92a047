package io.holdfast.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.retry.Backoff;
import io.holdfast.cli.retry.PendingAnswer;
import io.holdfast.cli.retry.Wakeup;
import io.holdfast.http.wire.service.DeployServiceBody;
import java.time.Duration;

/** Begins a deployment. Its id is chosen by the client, so a request whose answer was lost is repeated without a second begin. */
final class DeploymentStart {
    private static final Duration RETRY_FIRST = Duration.ofMillis(200);
    private static final Duration RETRY_MAX = Duration.ofSeconds(2);

    private final ApiClient api;
    private final String service;
    private final DeployServiceBody body;
    private final DeploymentSignals signals;
    private final Wakeup wakeup;
    /** Whether an earlier request may have begun the deployment. */
    private boolean inDoubt;

    /** @param body with an id */
    DeploymentStart(ApiClient api, String service, DeployServiceBody body, DeploymentSignals signals, Wakeup wakeup) {
        this.api = api;
        this.service = service;
        this.body = body;
        this.signals = signals;
        this.wakeup = wakeup;
    }

    /**
     * A request whose outcome is unknown is repeated for as long as another answer may take, and not after a signal.
     *
     * @return the service's answer
     * @throws CliException if the deployment has not begun, or may have begun
     */
    JsonNode begin() throws InterruptedException {
        var backoff = new Backoff(RETRY_FIRST, RETRY_MAX);
        var doubtUntil = System.nanoTime();
        while (true) {
            CliException failure;
            var isRetryable = true;
            try {
                var answer = PendingAnswer.await(
                        api.postLater(ServicesCommand.path(service) + "/deploy", body, Duration.ZERO),
                        wakeup,
                        signals::nanosLeft,
                        api.server());
                if (answer.isSuccess()) {
                    return underWay(answer.body());
                }
                failure = answer.failure();
                isRetryable = isRetryable(answer);
            } catch (CliException unanswered) {
                failure = unanswered;
            }
            if (!inDoubt && failure.isInDoubt()) {
                inDoubt = true;
                doubtUntil = System.nanoTime() + api.answerMax().toNanos();
            }
            if (!isRetryable) {
                throw failure;
            }
            if (!inDoubt || signals.isRequested() || System.nanoTime() >= doubtUntil) {
                throw inDoubt ? doubtful(failure) : failure;
            }
            pause(backoff.nextNanos());
        }
    }

    /** Whether the answer leaves open what became of an earlier request, which may still hold the lock of the service. */
    private static boolean isRetryable(ApiResponse answer) {
        return answer.isTemporary()
                || answer.code().isEmpty()
                || DeploymentReporter.OTHER_WRITER.contains(answer.code());
    }

    /** The answer to a repeated request may come after the end of the deployment. */
    private JsonNode underWay(JsonNode answer) {
        var latest = answer.at("/service/deployment");
        if (latest.has("ended_at")) {
            throw new CliException(
                    Exit.REFUSED,
                    "Deployment %s of '%s' has ended already, with %s."
                            .formatted(
                                    body.deploymentId(),
                                    service,
                                    latest.path("ended_with").asText()));
        }
        return answer;
    }

    private CliException doubtful(CliException failure) {
        return CliException.inDoubt("%s Deployment %s may have begun; repeat the command with --deployment-id %s."
                .formatted(failure.getMessage(), body.deploymentId(), body.deploymentId()));
    }

    private void pause(long nanos) throws InterruptedException {
        var until = System.nanoTime() + nanos;
        for (var left = nanos; left > 0 && !signals.isRequested(); left = until - System.nanoTime()) {
            wakeup.await(left);
        }
    }
}
