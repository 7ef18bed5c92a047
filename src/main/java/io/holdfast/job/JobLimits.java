package io.holdfast.job;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.job.dispatch.DispatchTerms;
import io.holdfast.job.janitor.JanitorTerms;
import io.holdfast.job.model.JobType;
import io.holdfast.job.port.JobTerms;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Settings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The validated settings of jobs, and the checks of requests against them. */
public record JobLimits(JobConfig config) {
    /** The longest params and the longest result, as JSON in UTF-8. */
    public static final int JSON_BYTES_MAX = 16 << 10;

    public static final int KEY_LENGTH_MAX = 128;
    public static final int REASON_LENGTH_MAX = 256;

    /** All queued jobs of a cluster end in one transaction of DynamoDB, which has at most 100 items. */
    private static final int QUEUE_MAX_MAX = 30;

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    public JobLimits {
        requireAtLeast("holdfast.jobs.lease", config.lease(), "1s", SHORTEST);
        requireAtLeast("holdfast.jobs.heartbeat-every", config.heartbeatEvery(), "100ms", Duration.ofMillis(100));
        requireAtLeast(
                "holdfast.jobs.lease",
                config.lease(),
                "twice holdfast.jobs.heartbeat-every",
                config.heartbeatEvery().multipliedBy(2));
        deadlines(config).forEach((type, deadline) -> {
            var key = "holdfast.jobs.deadline."
                    + type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            requireAtLeast(key, deadline, "1s", SHORTEST);
            requireAtLeast("holdfast.jobs.deadline-max", config.deadlineMax(), key, deadline);
        });
        requireAtLeast("holdfast.jobs.attempts-max", config.attemptsMax(), 1);
        requireAtLeast("holdfast.jobs.retry-delay", config.retryDelay(), "zero", Duration.ZERO);
        requireAtLeast(
                "holdfast.jobs.retry-delay-max",
                config.retryDelayMax(),
                "holdfast.jobs.retry-delay",
                config.retryDelay());
        requireAtLeast(JobTerms.QUEUE_MAX, config.queueMax(), 1);
        if (config.queueMax() > QUEUE_MAX_MAX) {
            throw new IllegalStateException(
                    JobTerms.QUEUE_MAX + " (" + config.queueMax() + ") must be at most " + QUEUE_MAX_MAX);
        }
        requireAtLeast("holdfast.jobs.retention", config.retention(), "1h", Duration.ofHours(1));
        requireAtLeast("holdfast.jobs.wait-max", config.waitMax(), "zero", Duration.ZERO);
        requireAtLeast(DispatchTerms.WAITING_MAX, config.waitingMax(), 1);
        requireAtLeast("holdfast.jobs.poll-every", config.pollEvery(), "100ms", Duration.ofMillis(100));
        requireAtLeast("holdfast.jobs.list-limit-default", config.listLimitDefault(), 1);
        requireAtLeast(
                "holdfast.jobs.list-limit-max",
                config.listLimitMax(),
                "holdfast.jobs.list-limit-default",
                config.listLimitDefault());
        requireAtLeast("holdfast.jobs.janitor.rescue-after", config.janitor().rescueAfter(), "zero", Duration.ZERO);
        requireAtLeast("holdfast.jobs.janitor.step-size", config.janitor().stepSize(), 1);
        requireAtLeast("holdfast.jobs.janitor.lock-ttl", config.janitor().lockTtl(), "5s", Duration.ofSeconds(5));
    }

    public JobTerms terms() {
        return new JobTerms(
                config.lease(),
                config.janitor().rescueAfter(),
                config.attemptsMax(),
                config.retryDelay(),
                config.retryDelayMax(),
                config.queueMax(),
                deadlines(config));
    }

    public DispatchTerms dispatchTerms() {
        return new DispatchTerms(config.pollEvery(), config.waitingMax());
    }

    public JanitorTerms janitorTerms() {
        return new JanitorTerms(config.janitor().stepSize(), config.janitor().lockTtl());
    }

    Duration waitAllowed(Optional<Duration> asked) {
        return asked.map(wait -> within("wait", wait, Duration.ZERO, config.waitMax()))
                .orElse(Duration.ZERO);
    }

    Optional<Duration> deadline(Optional<Duration> asked) {
        return asked.map(deadline -> within("deadline", deadline, SHORTEST, config.deadlineMax()));
    }

    Optional<Duration> ttl(Optional<Duration> asked) {
        return asked.map(ttl -> within("ttl", ttl, SHORTEST, config.ttlMax()));
    }

    int listLimit(Optional<Integer> asked) {
        var limit = asked.orElse(config.listLimitDefault());
        if (limit < 1 || limit > config.listLimitMax()) {
            throw new InvalidInputException("limit", "a whole number from 1 to " + config.listLimitMax());
        }
        return limit;
    }

    /** @param json a JSON object */
    String json(String field, String json) {
        if (json.getBytes(StandardCharsets.UTF_8).length > JSON_BYTES_MAX) {
            throw new InvalidInputException(field, "a JSON object of at most " + JSON_BYTES_MAX + " bytes");
        }
        return json;
    }

    private static Duration within(String field, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new InvalidInputException(
                    field, "a duration from " + Settings.text(min) + " to " + Settings.text(max));
        }
        return value.truncatedTo(ChronoUnit.MILLIS);
    }

    private static Map<JobType, Duration> deadlines(JobConfig config) {
        return Map.of(
                JobType.CREATE, config.deadline().create(),
                JobType.DESTROY, config.deadline().destroy(),
                JobType.SCALE_WORKERS, config.deadline().scaleWorkers(),
                JobType.JANITOR_DESTROY, config.deadline().janitorDestroy());
    }
}
