package io.holdfast.job.action;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.ClaimOutcome;
import java.util.Optional;

/**
 * A job that a worker runs.
 *
 * @param undo how to undo the claim; absent if the worker had been told of it before
 */
public record Claim(Job job, Cluster cluster, Optional<ClaimOutcome.Before> undo) {
    public Run run() {
        return job.currentRun().orElseThrow();
    }
}
