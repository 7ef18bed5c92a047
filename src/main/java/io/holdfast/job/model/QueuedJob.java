package io.holdfast.job.model;

import java.time.Instant;

/**
 * The place of a job in the queue of its cluster.
 *
 * @param status QUEUED, RUNNING or WAITING; only the first job of a queue is not QUEUED
 * @param retried whether an operator retried it after it was dead
 */
public record QueuedJob(JobId id, JobType type, JobStatus status, Instant dueAt, boolean retried) {
    public static QueuedJob of(Job job) {
        return new QueuedJob(job.id(), job.type(), job.status(), job.dueAt(), job.isRetried());
    }

    QueuedJob notBefore(Instant earliest) {
        return earliest.isAfter(dueAt) ? new QueuedJob(id, type, status, earliest, retried) : this;
    }

    /** Whether the cluster is in the status of this job. */
    public boolean isStarted() {
        return status != JobStatus.QUEUED;
    }
}
