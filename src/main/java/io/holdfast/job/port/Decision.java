package io.holdfast.job.port;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the rules decided.
 *
 * @param changes what to write; if absent, nothing
 * @param endings further jobs of the cluster that end with it. They were not read for the decision, so the caller reads
 *     them, and adds their ends to the changes
 */
public record Decision<O>(O outcome, Optional<Changes> changes, List<Ending> endings) {
    /** A job that ends without a run. */
    public record Ending(JobId job, JobStatus status, JobError error) {
        public Job applyTo(Job found, Instant now) {
            return found.ended(status, Optional.empty(), new Job.End(now, Optional.of(error), Optional.empty()));
        }
    }

    static <O> Decision<O> refuse(O outcome) {
        return new Decision<>(outcome, Optional.empty(), List.of());
    }
}
