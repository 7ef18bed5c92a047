package io.holdfast.cli.work;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.OutageNotes;
import io.holdfast.cli.retry.Wakeup;
import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Claims one job after the other, runs the handler for each, and reports how it ended. */
final class WorkSlot implements Callable<SlotResult> {
    private final ApiClient api;
    private final WorkTerms terms;
    private final WorkerStop stop;
    private final SlotOutput output;
    private final OutageNotes outages;
    private final Wakeup wakeup = new Wakeup();
    private final JobClaims claims;
    private final JobReporter reporter;
    private Optional<NotReported> notReported = Optional.empty();

    /** @param name of this slot, which no other slot and no other process has */
    WorkSlot(Worker worker, String name, SlotOutput output) {
        this.api = worker.api();
        this.terms = worker.terms();
        this.stop = worker.stop();
        this.outages = worker.outages();
        this.output = output;
        this.claims = new JobClaims(api, terms, name, stop, wakeup, worker.claimFailures());
        this.reporter = new JobReporter(api, terms.stopGrace(), stop, wakeup);
        stop.onRequest(wakeup::wake);
    }

    /** A report without an answer. The next claim may find the same run. */
    private record NotReported(ClaimedJob job, JobReport report) {}

    /** Runs until the worker is to stop, or for one job. If it fails, the other slots are to stop too. */
    @Override
    public SlotResult call() throws InterruptedException {
        var result = SlotResult.DONE;
        try {
            do {
                var job = claims.next(this::reportAgain);
                if (job.isEmpty()) {
                    return result;
                }
                result = run(job.get());
            } while (!terms.once() && !stop.isRequested());
            return result;
        } catch (RuntimeException failure) {
            stop.request();
            throw failure;
        }
    }

    private SlotResult run(ClaimedJob job) throws InterruptedException {
        try (var lease = JobLease.start(api, job, schedule(job), outages, wakeup::wake)) {
            var before = notReported.filter(last -> last.job().isSameRunAs(job));
            if (before.isPresent()) {
                return report(job, before.get().report(), lease);
            }
            var claimed = job.claim().job();
            output.note(
                    job,
                    "%s of cluster %s, attempt %d.".formatted(claimed.type(), claimed.cluster(), claimed.attempt()));
            return run(job, lease);
        }
    }

    private HeartbeatSchedule schedule(ClaimedJob job) {
        var lease = job.claim().lease();
        var every = terms.heartbeatEvery().orElse(Duration.ofMillis(lease.heartbeatEveryMs()));
        var safetyMargin = Durations.min(
                terms.stopGrace().plus(HeartbeatSchedule.KILL_MARGIN),
                Duration.ofMillis(lease.ttlMs()).dividedBy(3));
        return new HeartbeatSchedule(job, every, safetyMargin);
    }

    private SlotResult run(ClaimedJob job, JobLease lease) throws InterruptedException {
        try {
            var report = new HandlerRun(terms, job, lease, stop, wakeup, output).run();
            return report.isPresent() ? report(job, report.get(), lease) : SlotResult.LOST;
        } catch (CliException notStarted) {
            var why = Optional.of(notStarted.getMessage());
            report(job, new JobReport.Fail(JobReport.HANDLER_NOT_STARTED, why, true), lease);
            throw notStarted;
        }
    }

    private SlotResult report(ClaimedJob job, JobReport report, JobLease lease) throws InterruptedException {
        lease.beginReport();
        return settle(job, report, reporter.send(job, report, lease::remaining), lease.remaining());
    }

    /** The service waits for a report that it did not get. */
    private void reportAgain() throws InterruptedException {
        if (notReported.isPresent()) {
            var last = notReported.get();
            var outcome = reporter.send(last.job(), last.report(), () -> Duration.ZERO);
            if (!(outcome instanceof JobReporter.Outcome.NotReported)) {
                settle(last.job(), last.report(), outcome, Duration.ZERO);
            }
        }
    }

    private SlotResult settle(ClaimedJob job, JobReport report, JobReporter.Outcome outcome, Duration remaining) {
        notReported = Optional.empty();
        return switch (outcome) {
            case JobReporter.Outcome.Accepted(JsonNode body) -> {
                output.note(job, sentence(report, body));
                yield report instanceof JobReport.Complete ? SlotResult.DONE : SlotResult.FAILED;
            }
            case JobReporter.Outcome.Stale(String sentence) -> {
                output.note(job, sentence + " Its end was not accepted.");
                yield SlotResult.LOST;
            }
            case JobReporter.Outcome.NotReported(String sentence) -> {
                notReported = Optional.of(new NotReported(job, report));
                output.note(
                        job,
                        "%s Its end was not reported; the lease expires in %s."
                                .formatted(sentence, DurationText.words(remaining)));
                yield SlotResult.NOT_REPORTED;
            }
        };
    }

    private static String sentence(JobReport report, JsonNode answer) {
        return switch (report) {
            case JobReport.Complete complete -> "Succeeded.";
            case JobReport.Fail fail -> {
                var next = answer.path("next_attempt_at").asText("");
                yield "Failed with %s%s"
                        .formatted(fail.code(), next.isEmpty() ? "." : "; next attempt at " + next + ".");
            }
        };
    }
}
