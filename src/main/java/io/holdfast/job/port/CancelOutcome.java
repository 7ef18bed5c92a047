package io.holdfast.job.port;

import io.holdfast.job.model.Job;

public sealed interface CancelOutcome {
    record Cancelled(Job job) implements CancelOutcome {}

    /** The job runs. Its worker is told with its next heartbeat. */
    record Requested(Job job) implements CancelOutcome {}

    /** The job has ended. Nothing was changed. */
    record Ended(Job job) implements CancelOutcome {}

    record NoSuchJob() implements CancelOutcome {}
}
