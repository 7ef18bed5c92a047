package io.holdfast.job.port;

import io.holdfast.job.model.JobType;
import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.util.Map;

/**
 * The numbers in the rules of jobs.
 *
 * @param lease how long a claim is valid without a heartbeat
 * @param rescueAfter how long a lease must have expired before the janitor ends the run
 * @param attemptsMax how many runs a job may have before it is dead
 * @param retryDelay the pause before the second attempt; doubles with each further attempt
 * @param queueMax the most jobs in the queue of one cluster
 * @param deadlines the longest run by type, if the submission names none
 */
public record JobTerms(
        Duration lease,
        Duration rescueAfter,
        int attemptsMax,
        Duration retryDelay,
        Duration retryDelayMax,
        int queueMax,
        Map<JobType, Duration> deadlines) {
    /** The setting that bounds the queue of one cluster. */
    public static final String QUEUE_MAX = "holdfast.jobs.queue-max";

    public JobTerms {
        deadlines = Map.copyOf(deadlines);
    }

    /** @param retry the number of the retry, from 1 */
    Duration pauseBefore(int retry) {
        var pause = retryDelay;
        for (var i = 1; i < retry && pause.compareTo(retryDelayMax) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return Durations.min(pause, retryDelayMax);
    }
}
