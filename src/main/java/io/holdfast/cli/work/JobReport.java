package io.holdfast.cli.work;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.work.HandlerOutput.HandlerError;
import io.holdfast.http.wire.job.CompleteJobBody;
import io.holdfast.http.wire.job.FailJobBody;
import io.holdfast.kernel.Text;
import java.util.Optional;

/** What a worker reports at the end of a run. */
sealed interface JobReport {
    /** The exit code by which a handler asks for another attempt, as in {@code sysexits.h}. */
    int EXIT_RETRY = 75;

    String CANCELLED = "CANCELLED";
    String WORKER_STOPPED = "WORKER_STOPPED";
    String HANDLER_NOT_STARTED = "HANDLER_NOT_STARTED";

    /** @param result what the handler has reported */
    record Complete(Optional<JsonNode> result) implements JobReport {
        @Override
        public String action() {
            return "complete";
        }

        @Override
        public Object body(long epoch) {
            return new CompleteJobBody(epoch, result.orElse(null));
        }

        @Override
        public Optional<JobReport> withoutDetails() {
            return result.map(dropped -> new Complete(Optional.empty()));
        }
    }

    /** @param retryable whether another attempt may succeed */
    record Fail(String code, Optional<String> message, boolean retryable) implements JobReport {
        @Override
        public String action() {
            return "fail";
        }

        @Override
        public Object body(long epoch) {
            var text = message.map(words -> Text.cleaned(words, HandlerOutput.ERROR_MESSAGE_LENGTH_MAX));
            return new FailJobBody(epoch, code, text.orElse(null), retryable);
        }

        @Override
        public Optional<JobReport> withoutDetails() {
            return message.map(dropped -> new Fail(code, Optional.empty(), retryable));
        }
    }

    /** The last segment of the path. */
    String action();

    Object body(long epoch);

    /** The same without what the service may refuse; empty if there is nothing to leave out. */
    Optional<JobReport> withoutDetails();

    /**
     * The handler has ended by itself.
     *
     * @param interrupted whether it may have ended because of a signal that was meant for the worker
     */
    static JobReport ended(int exitCode, HandlerNotes said, boolean interrupted) {
        if (exitCode == 0) {
            return new Complete(said.result());
        }
        if (interrupted) {
            return new Fail(WORKER_STOPPED, Optional.of("A signal ended the handler."), true);
        }
        var error = said.error();
        var code = error.map(HandlerError::code).orElse("EXIT_" + exitCode);
        var message = error.isPresent()
                ? error.map(HandlerError::message)
                : Optional.of("The handler ended with exit code %d.".formatted(exitCode));
        return new Fail(code, message, exitCode == EXIT_RETRY);
    }

    static JobReport cancelled() {
        return new Fail(CANCELLED, Optional.of("The handler was stopped because the job was cancelled."), false);
    }

    static JobReport workerStopped(String message) {
        return new Fail(WORKER_STOPPED, Optional.of(message), true);
    }

    /** Empty if the service would refuse every report. */
    static Optional<JobReport> lost(LeaseLoss loss) {
        return switch (loss.cause()) {
            case STALE -> Optional.empty();
            case UNCONFIRMED -> Optional.of(new Fail("HEARTBEAT_FAILED", Optional.of(loss.sentence()), true));
            case DEADLINE -> Optional.of(new Fail("DEADLINE_EXCEEDED", Optional.of(loss.sentence()), true));
        };
    }
}
