package io.holdfast.telemetry.metrics;

import io.holdfast.job.model.JobType;
import io.holdfast.job.port.JobCounts;
import io.holdfast.kernel.Durations;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

/**
 * What the last pass of the janitor at this replica has counted. A replica that did not make the last pass shows NaN, so
 * that old values are not compared with those of the replica that did. Aggregations ignore NaN.
 */
final class JobStatisticsMetrics {
    private final MeterRegistry registry;
    private final AtomicReference<Optional<Counted>> last = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Instant> lastAt = new AtomicReference<>(Instant.EPOCH);

    /** @param at ages are as of this time, and do not grow until the next pass */
    private record Counted(JobCounts counts, Instant at) {
        double age(Optional<Instant> since) {
            return since.map(start -> Durations.max(Duration.between(start, at), Duration.ZERO))
                    .map(age -> age.toMillis() / 1000.0)
                    .orElse(0.0);
        }

        double age(JobType type, Map<JobType, Instant> since) {
            return age(Optional.ofNullable(since.get(type)));
        }
    }

    JobStatisticsMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (var type : JobType.values()) {
            var tags = Tags.of("job_type", JobMetrics.text(type));
            gauge(
                    "jobs.queued",
                    tags,
                    found -> found.counts().queued().getOrDefault(type, 0L),
                    "Jobs that are queued or wait for their next attempt");
            gauge(
                    "jobs.oldest.due.seconds",
                    tags,
                    found -> found.age(type, found.counts().oldestDue()),
                    "For how long the oldest job that a worker could claim has been due; 0 if there is none");
            gauge(
                    "jobs.running.longest.seconds",
                    tags,
                    found -> found.age(type, found.counts().runningSince()),
                    "Age of the oldest run that has not ended; 0 if there is none");
        }
        gauge("jobs.dead.letters", Tags.empty(), found -> found.counts().dead(), "Dead letters");
        gauge(
                "jobs.dead.letter.oldest.seconds",
                Tags.empty(),
                found -> found.age(found.counts().oldestDead()),
                "How long ago the oldest dead letter died; 0 if there is none");
        // A past time stays correct, so notCounted() does not reset it.
        Gauge.builder(
                        "jobs.statistics.timestamp.seconds",
                        lastAt,
                        at -> at.get().toEpochMilli() / 1000.0)
                .description("Time at which the janitor last counted all jobs at this replica; 0 if it never did")
                .register(registry);
    }

    private void gauge(String name, Tags tags, ToDoubleFunction<Counted> figure, String description) {
        Gauge.builder(name, last, found -> found.get()
                        .map(figure::applyAsDouble)
                        .orElse(Double.NaN))
                .description(description)
                .tags(tags)
                .register(registry);
    }

    void counted(JobCounts counts, Instant now) {
        last.set(Optional.of(new Counted(counts, now)));
        lastAt.set(now);
    }

    void notCounted() {
        last.set(Optional.empty());
    }
}
