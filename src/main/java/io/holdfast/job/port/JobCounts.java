package io.holdfast.job.port;

import io.holdfast.job.model.JobType;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How many jobs there are.
 *
 * @param queued by type, jobs that are QUEUED or WAITING
 * @param oldestDue by type, since when the oldest job that a worker could claim has been due
 * @param dead the number of dead letters
 * @param oldestDead when the oldest of them died
 */
public record JobCounts(
        Map<JobType, Long> queued, Map<JobType, Instant> oldestDue, long dead, Optional<Instant> oldestDead) {
    public JobCounts {
        queued = Map.copyOf(queued);
        oldestDue = Map.copyOf(oldestDue);
    }
}
