package io.holdfast.job.port;

import io.holdfast.job.model.JobType;
import java.time.Duration;
import java.util.Optional;

/**
 * A job as it is submitted.
 *
 * @param params a JSON object
 * @param deadline the longest time of one run; the default of the type if absent
 */
public record NewJob(JobType type, String params, Optional<String> idempotencyKey, Optional<Duration> deadline) {}
