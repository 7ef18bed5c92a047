package io.holdfast.job.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A resource on which one worker at a time may operate, with the queue of its jobs.
 *
 * @param queue the jobs that have not ended, in the order in which they run
 * @param endedJobs the last {@link #ENDED_MAX} jobs that have ended, the newest first
 * @param lastStarted the job that set the status last
 * @param version changes with every write
 */
public record Cluster(
        ClusterId id,
        ClusterName name,
        ClusterLabels labels,
        ClusterStatus status,
        List<QueuedJob> queue,
        List<JobId> endedJobs,
        Optional<JobId> lastStarted,
        Life life,
        long version) {
    public static final int ENDED_MAX = 50;

    /**
     * @param ttl how long the cluster is wanted
     * @param expiryHandled whether the janitor has submitted a job because the TTL is over
     * @param closedUntil until when no job may start, because a worker that lost its lock may still be at work
     */
    public record Life(
            Instant createdAt,
            Instant updatedAt,
            Optional<Duration> ttl,
            boolean expiryHandled,
            Optional<Instant> closedUntil) {
        public Life(Instant createdAt, Instant updatedAt, Optional<Duration> ttl, boolean expiryHandled) {
            this(createdAt, updatedAt, ttl, expiryHandled, Optional.empty());
        }

        public Optional<Instant> expiresAt() {
            return ttl.map(createdAt::plus);
        }

        Life updated(Instant now) {
            return new Life(createdAt, now, ttl, expiryHandled, closedUntil);
        }

        Life handled(boolean handled) {
            return new Life(createdAt, updatedAt, ttl, handled, closedUntil);
        }

        Life closed(Instant until) {
            return new Life(createdAt, updatedAt, ttl, expiryHandled, Optional.of(until));
        }
    }

    public Cluster {
        queue = List.copyOf(queue);
        endedJobs = List.copyOf(endedJobs);
    }

    public static Cluster created(
            ClusterId id, ClusterName name, ClusterLabels labels, Optional<Duration> ttl, Instant now, long version) {
        return new Cluster(
                id,
                name,
                labels,
                ClusterStatus.PENDING,
                List.of(),
                List.of(),
                Optional.empty(),
                new Life(now, now, ttl, false),
                version);
    }

    public Optional<QueuedJob> head() {
        return queue.isEmpty() ? Optional.empty() : Optional.of(queue.getFirst());
    }

    public Optional<QueuedJob> running() {
        return head().filter(first -> first.status() == JobStatus.RUNNING);
    }

    /** The job that a worker may claim, once it is due. */
    public Optional<QueuedJob> claimable() {
        return head().filter(first -> first.status() != JobStatus.RUNNING)
                .map(first -> life.closedUntil().map(first::notBefore).orElse(first));
    }

    /**
     * Whether the job may run in the present status. A job that has started may continue, and one that an operator
     * retried may start again where it failed.
     */
    public boolean admits(QueuedJob job) {
        var itsOwn = lastStarted.filter(job.id()::equals).isPresent();
        return job.type().startsFrom(status)
                || itsOwn && status == job.type().during()
                || itsOwn && job.retried() && status == ClusterStatus.FAILED;
    }

    /** The statuses that are possible after all jobs of the queue have ended by themselves. */
    public Set<ClusterStatus> possibleAfterQueue() {
        Set<ClusterStatus> possible = EnumSet.of(status);
        for (var job : queue) {
            var next = EnumSet.noneOf(ClusterStatus.class);
            for (var before : possible) {
                if (job.isStarted() || withStatus(before).admits(job)) {
                    next.add(job.type().done());
                    next.add(ClusterStatus.FAILED);
                } else {
                    next.add(before);
                }
            }
            possible = next;
        }
        return possible;
    }

    /** The status after all jobs of the queue have succeeded. */
    public ClusterStatus expectedAfterQueue() {
        var expected = this;
        for (var job : queue) {
            if (job.isStarted() || expected.admits(job)) {
                expected = expected.withStatus(job.type().done());
            }
        }
        return expected.status;
    }

    /** Adds a job at the end of the queue: a new one, or one that had ended and is retried. */
    public Cluster enqueued(Job job) {
        var all = new ArrayList<>(queue);
        all.add(QueuedJob.of(job));
        var ended = endedJobs.stream().filter(id -> !id.equals(job.id())).toList();
        return with(status, all, ended, lastStarted);
    }

    /** Updates the place of a job, and the status that the job has set. */
    public Cluster updated(Job job, ClusterStatus newStatus) {
        var all = queue.stream()
                .map(place -> place.id().equals(job.id()) ? QueuedJob.of(job) : place)
                .toList();
        return with(newStatus, all, endedJobs, Optional.of(job.id()));
    }

    /** Removes a job that has ended. */
    public Cluster without(JobId job) {
        var rest = queue.stream().filter(place -> !place.id().equals(job)).toList();
        var ended = new ArrayList<>(endedJobs);
        ended.remove(job);
        ended.addFirst(job);
        return with(status, rest, ended.subList(0, Math.min(ENDED_MAX, ended.size())), lastStarted);
    }

    public Cluster withStatus(ClusterStatus newStatus) {
        return with(newStatus, queue, endedJobs, lastStarted);
    }

    public Cluster startedLastBy(Optional<JobId> job) {
        return with(status, queue, endedJobs, job);
    }

    public Cluster withExpiryHandled(boolean handled) {
        return with(life.handled(handled));
    }

    public Cluster closedUntil(Instant until) {
        return with(life.closed(until));
    }

    private Cluster with(Life newLife) {
        return new Cluster(id, name, labels, status, queue, endedJobs, lastStarted, newLife, version);
    }

    /** The form in which it is written: with the next version and the time of the write. */
    public Cluster writtenAt(Instant now) {
        return new Cluster(id, name, labels, status, queue, endedJobs, lastStarted, life.updated(now), version + 1);
    }

    private Cluster with(
            ClusterStatus newStatus, List<QueuedJob> newQueue, List<JobId> newEnded, Optional<JobId> newLastStarted) {
        return new Cluster(id, name, labels, newStatus, newQueue, newEnded, newLastStarted, life, version);
    }
}
