package io.holdfast.job.port;

import io.holdfast.job.model.Job;

public sealed interface FinishOutcome {
    /** The job has ended, or waits for its next attempt. */
    record Finished(Job job) implements FinishOutcome {}

    /** The worker had reported this before. Nothing was changed. */
    record FinishedBefore(Job job) implements FinishOutcome {}

    /** The worker no longer runs the job. Nothing was changed. */
    record StaleEpoch(Job job) implements FinishOutcome {}

    record NoSuchJob() implements FinishOutcome {}
}
