package io.holdfast.job.port;

import io.holdfast.job.model.JobType;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How many jobs there are, and how old the oldest ones are.
 *
 * @param queued by type, jobs that are QUEUED or WAITING
 * @param oldestDue by type, since when the oldest job that a worker could claim has been due
 * @param runningSince by type, when the oldest run began that has not ended; the janitor adds it
 * @param dead the number of dead letters
 * @param oldestDead when the oldest of them died
 */
public record JobCounts(
        Map<JobType, Long> queued,
        Map<JobType, Instant> oldestDue,
        Map<JobType, Instant> runningSince,
        long dead,
        Optional<Instant> oldestDead) {
    public JobCounts {
        queued = Map.copyOf(queued);
        oldestDue = Map.copyOf(oldestDue);
        runningSince = Map.copyOf(runningSince);
    }

    /** What a store counts: all but the jobs that run, which the janitor reads one by one. */
    public JobCounts(
            Map<JobType, Long> queued, Map<JobType, Instant> oldestDue, long dead, Optional<Instant> oldestDead) {
        this(queued, oldestDue, Map.of(), dead, oldestDead);
    }

    public JobCounts withRunningSince(Map<JobType, Instant> oldestRuns) {
        return new JobCounts(queued, oldestDue, oldestRuns, dead, oldestDead);
    }
}
