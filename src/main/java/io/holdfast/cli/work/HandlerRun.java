package io.holdfast.cli.work;

import io.holdfast.cli.retry.Wakeup;
import java.util.Optional;

/**
 * Runs the handler of one job. Stops it when the lease is lost, the job is cancelled, or the worker is to stop. No handler runs on
 * beyond the end of an unconfirmed lease, however long the grace is.
 */
final class HandlerRun {
    private final WorkTerms terms;
    private final ClaimedJob job;
    private final JobLease lease;
    private final WorkerStop stop;
    private final Wakeup wakeup;
    private final SlotOutput output;

    /** @param wakeup woken by the lease and by the stop of the worker */
    HandlerRun(WorkTerms terms, ClaimedJob job, JobLease lease, WorkerStop stop, Wakeup wakeup, SlotOutput output) {
        this.terms = terms;
        this.job = job;
        this.lease = lease;
        this.stop = stop;
        this.wakeup = wakeup;
        this.output = output;
    }

    /** @param report empty if the service would refuse every report */
    private record Stopping(String sentence, Optional<JobReport> report) {}

    /**
     * Blocks until the handler has ended.
     *
     * @return what to report; empty if the lease is lost
     * @throws io.holdfast.cli.output.CliException if the handler cannot be started
     */
    Optional<JobReport> run() throws InterruptedException {
        var obstacle = reasonNotToStart();
        while (!lease.isConfirmed() && obstacle.isEmpty()) {
            wakeup.await(lease.nanosLeft());
            obstacle = reasonNotToStart();
        }
        if (obstacle.isPresent()) {
            output.note(job, obstacle.get().sentence() + " The handler was not started.");
            return obstacle.get().report();
        }
        var said = new HandlerNotes(lease::report, sentence -> output.note(job, sentence));
        var handler = Handler.start(terms.command(), job, output, said);
        try {
            return await(handler, said);
        } finally {
            handler.kill();
        }
    }

    private Optional<JobReport> await(Handler handler, HandlerNotes said) throws InterruptedException {
        handler.whenEnded(wakeup::wake);
        var told = false;
        var reason = reasonToStop();
        while (!handler.hasEnded() && reason.isEmpty()) {
            if (stop.isRequested() && !told) {
                told = true;
                output.note(job, "The worker stops when the handler has ended; a second signal kills the handler.");
            }
            wakeup.await(Math.min(lease.nanosLeft(), stop.nanosLeft(terms.stopGrace())));
            reason = reasonToStop();
        }
        if (handler.hasEnded()) {
            return Optional.of(JobReport.ended(handler.exitCode(), said, stop.hasReachedHandlers()));
        }
        var stopping = reason.orElseThrow();
        output.note(job, stopping.sentence() + " The handler is stopped.");
        handler.stop(terms.stopGrace(), () -> stop.isUrgent() || lease.isEnding());
        return stopping.report();
    }

    private Optional<Stopping> reasonNotToStart() {
        return stop.isRequested() ? Optional.of(workerStops("before the handler started")) : reasonToStop();
    }

    private Optional<Stopping> reasonToStop() {
        var loss = lease.loss();
        if (loss.isPresent()) {
            return loss.map(lost -> new Stopping(lost.sentence(), JobReport.lost(lost)));
        }
        if (lease.isCancelRequested()) {
            return Optional.of(new Stopping("The job was cancelled.", Optional.of(JobReport.cancelled())));
        }
        return stop.nanosLeft(terms.stopGrace()) > 0
                ? Optional.empty()
                : Optional.of(workerStops("before the handler ended"));
    }

    private static Stopping workerStops(String when) {
        return new Stopping(
                "The worker stops.", Optional.of(JobReport.workerStopped("The worker was stopped " + when + ".")));
    }
}
