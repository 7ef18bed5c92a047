package io.holdfast.telemetry.metrics;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.JobCounts;
import io.holdfast.job.port.JobListener;
import io.holdfast.kernel.Durations;
import io.holdfast.lock.model.LockType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/** The meters of jobs. Passes each step on to the next listener. The id of a job or a cluster is never a tag. */
public final class JobMetrics implements JobListener {
    private final JobListener next;
    private final JobStatisticsMetrics statistics;
    private final Map<JobType, Counter> submitted = new EnumMap<>(JobType.class);
    private final Map<JobType, Map<Run.Result, Counter>> attempts = new EnumMap<>(JobType.class);
    private final Map<JobType, Timer> runs = new EnumMap<>(JobType.class);
    private final Map<JobType, Timer> locksHeld = new EnumMap<>(JobType.class);
    private final Map<Contention, Counter> contentions = new EnumMap<>(Contention.class);
    private final Counter staleLocks;
    private final AtomicReference<IntSupplier> waiting = new AtomicReference<>(() -> 0);

    public JobMetrics(MeterRegistry registry, JobListener next) {
        this.next = next;
        this.statistics = new JobStatisticsMetrics(registry);
        for (var type : JobType.values()) {
            submitted.put(
                    type,
                    Counter.builder("jobs.submitted")
                            .description("Jobs that were submitted, by clients and by the janitor")
                            .tag("job_type", text(type))
                            .register(registry));
            attempts.put(type, attempts(registry, type));
            runs.put(
                    type,
                    Timer.builder("jobs.running.duration")
                            .description("How long a run took, recorded when it ends")
                            .tag("job_type", text(type))
                            .register(registry));
            locksHeld.put(type, LockMetrics.held(registry, LockType.CLUSTER, text(type)));
        }
        for (var reason : Contention.values()) {
            contentions.put(reason, LockMetrics.failures(registry, "claim_" + text(reason)));
        }
        staleLocks = LockMetrics.cleaned(registry);
        Gauge.builder("jobs.waiting.workers", waiting, count -> count.get().getAsInt())
                .description("Workers that wait for a job at this replica")
                .register(registry);
    }

    private static Map<Run.Result, Counter> attempts(MeterRegistry registry, JobType type) {
        var results = new EnumMap<Run.Result, Counter>(Run.Result.class);
        for (var result : Run.Result.values()) {
            results.put(
                    result,
                    Counter.builder("jobs.attempts")
                            .description("Runs of jobs that have ended, by their result")
                            .tag("job_type", text(type))
                            .tag("result", text(result))
                            .register(registry));
        }
        return results;
    }

    /** @param count how many workers wait for a job now */
    public void countWaiting(IntSupplier count) {
        waiting.set(count);
    }

    @Override
    public void created(Cluster cluster) {
        next.created(cluster);
    }

    @Override
    public void submitted(Job job) {
        submitted.get(job.type()).increment();
        next.submitted(job);
    }

    @Override
    public void claimed(Job job, Run run) {
        next.claimed(job, run);
    }

    @Override
    public void heartbeat(Job job, Run run) {
        next.heartbeat(job, run);
    }

    @Override
    public void finished(Job job, Run run) {
        ended(job.type(), run);
        next.finished(job, run);
    }

    @Override
    public void rescued(Job job, Run run) {
        ended(job.type(), run);
        next.rescued(job, run);
    }

    private void ended(JobType type, Run run) {
        run.end().ifPresent(end -> {
            attempts.get(type).get(end.result()).increment();
            runs.get(type).record(between(run.startedAt(), end.at()));
            switch (end.result()) {
                case COMPLETED, FAILED -> lockHeld(type, run, end.at());
                case TIMED_OUT -> {
                    lockHeld(type, run, run.leaseUntil());
                    staleLocks.increment();
                }
                case LOCK_LOST -> {}
            }
        });
    }

    private void lockHeld(JobType type, Run run, Instant until) {
        locksHeld.get(type).record(between(run.startedAt(), until));
    }

    /** The clocks of the replicas that began and ended a run may differ. */
    private static Duration between(Instant start, Instant end) {
        return Durations.max(Duration.between(start, end), Duration.ZERO);
    }

    @Override
    public void ended(Job job) {
        next.ended(job);
    }

    @Override
    public void cancelRequested(Job job) {
        next.cancelRequested(job);
    }

    @Override
    public void cancelled(Job job) {
        next.cancelled(job);
    }

    @Override
    public void retried(Job job, String reason) {
        next.retried(job, reason);
    }

    @Override
    public void refused(String operation, Job job, long epoch) {
        next.refused(operation, job, epoch);
    }

    @Override
    public void notClaimed(Contention reason) {
        contentions.get(reason).increment();
        next.notClaimed(reason);
    }

    @Override
    public void unclaimed(Job job) {
        next.unclaimed(job);
    }

    @Override
    public void counted(JobCounts counts, Instant now) {
        statistics.counted(counts, now);
        next.counted(counts, now);
    }

    @Override
    public void notCounted() {
        statistics.notCounted();
        next.notCounted();
    }

    static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
