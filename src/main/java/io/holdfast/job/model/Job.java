package io.holdfast.job.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Work on a cluster, with its runs.
 *
 * @param dueAt from when on the next attempt may start
 * @param runs the oldest first; only the last {@link #RUNS_MAX} are kept
 * @param version changes with every write
 */
public record Job(
        JobId id,
        ClusterId cluster,
        JobType type,
        Order order,
        JobStatus status,
        Instant dueAt,
        Attempts attempts,
        List<Run> runs,
        Optional<Cancellation> cancellation,
        Optional<End> end,
        long version) {
    public static final int RUNS_MAX = 10;

    /**
     * What was submitted.
     *
     * @param params a JSON object
     * @param deadline the longest time that one run may take
     */
    public record Order(String params, Optional<String> idempotencyKey, Duration deadline, Instant createdAt) {}

    /**
     * @param made how many runs were started
     * @param max how many runs there may be; a retry by an operator raises it
     * @param retries how often an operator retried the job after it was dead
     */
    public record Attempts(int made, int max, int retries) {
        public static Attempts of(int max) {
            return new Attempts(0, max, 0);
        }

        Attempts started() {
            return new Attempts(made + 1, max, retries);
        }

        Attempts retried(int more) {
            return new Attempts(made, made + more, retries + 1);
        }

        public boolean areExhausted() {
            return made >= max;
        }
    }

    public record Cancellation(Instant at, String reason) {}

    /** @param result a JSON object that the worker reported */
    public record End(Instant at, Optional<JobError> error, Optional<String> result) {}

    public Job {
        runs = List.copyOf(runs);
    }

    public static Job submitted(JobId id, ClusterId cluster, JobType type, Order order, int attemptsMax) {
        return new Job(
                id,
                cluster,
                type,
                order,
                JobStatus.QUEUED,
                order.createdAt(),
                Attempts.of(attemptsMax),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                1);
    }

    /** The run of a running job. */
    public Optional<Run> currentRun() {
        return status == JobStatus.RUNNING ? Optional.of(runs.getLast()) : Optional.empty();
    }

    public Optional<Run> lastRun() {
        return runs.isEmpty() ? Optional.empty() : Optional.of(runs.getLast());
    }

    /** The run that the worker with this epoch was given, while it is still known. */
    public Optional<Run> runOf(long epoch) {
        return runs.stream().filter(run -> run.epoch() == epoch).findFirst();
    }

    public boolean isRetried() {
        return attempts.retries() > 0;
    }

    public Job started(Run run) {
        var all = new ArrayList<>(runs);
        all.add(run);
        var kept = all.subList(Math.max(0, all.size() - RUNS_MAX), all.size());
        return with(JobStatus.RUNNING, dueAt, attempts.started(), kept, Optional.empty());
    }

    /** Replaces the last run. */
    public Job with(Run run) {
        return with(status, dueAt, attempts, replaced(run), end);
    }

    public Job waiting(Run ended, Instant nextAttemptAt) {
        return with(JobStatus.WAITING, nextAttemptAt, attempts, replaced(ended), Optional.empty());
    }

    public Job ended(JobStatus newStatus, Optional<Run> endedRun, End newEnd) {
        return with(newStatus, dueAt, attempts, endedRun.map(this::replaced).orElse(runs), Optional.of(newEnd));
    }

    public Job cancelRequested(Cancellation requested) {
        return new Job(
                id, cluster, type, order, status, dueAt, attempts, runs, Optional.of(requested), end, version + 1);
    }

    /** An operator retries a dead job. */
    public Job retried(int moreAttempts, Instant now) {
        return new Job(
                id,
                cluster,
                type,
                order,
                JobStatus.QUEUED,
                now,
                attempts.retried(moreAttempts),
                runs,
                Optional.empty(),
                Optional.empty(),
                version + 1);
    }

    /** The claim that began the last run was not reported to a worker: the job is as it was before. */
    public Job unclaimed(JobStatus statusBefore) {
        return with(
                statusBefore,
                dueAt,
                new Attempts(attempts.made() - 1, attempts.max(), attempts.retries()),
                runs.subList(0, runs.size() - 1),
                Optional.empty());
    }

    /** The same job with a new version, so that a decision that was made before is no longer written. */
    public Job touched() {
        return with(status, dueAt, attempts, runs, end);
    }

    private List<Run> replaced(Run run) {
        var all = new ArrayList<>(runs);
        all.set(all.size() - 1, run);
        return all;
    }

    private Job with(
            JobStatus newStatus, Instant newDueAt, Attempts newAttempts, List<Run> newRuns, Optional<End> newEnd) {
        return new Job(
                id, cluster, type, order, newStatus, newDueAt, newAttempts, newRuns, cancellation, newEnd, version + 1);
    }
}
