package io.holdfast.job.port;

import io.holdfast.job.model.Job;

public sealed interface HeartbeatOutcome {
    record Extended(Job job) implements HeartbeatOutcome {}

    /** The worker no longer runs the job. Nothing was changed. */
    record StaleEpoch(Job job) implements HeartbeatOutcome {}

    record NoSuchJob() implements HeartbeatOutcome {}
}
