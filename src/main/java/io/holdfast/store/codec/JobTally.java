package io.holdfast.store.codec;

import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobCounts;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts jobs by their index entries. Not thread-safe. */
public final class JobTally {
    /** Entries of jobs with other statuses are not counted. */
    public static final List<JobStatus> COUNTED = List.of(JobStatus.QUEUED, JobStatus.WAITING, JobStatus.DEAD);

    private final Map<JobType, Long> queued = new EnumMap<>(JobType.class);
    private final Map<JobType, Instant> oldestDue = new EnumMap<>(JobType.class);
    private long dead;
    private Optional<Instant> oldestDead = Optional.empty();

    /** Starts with 0 jobs of each type. */
    public JobTally() {
        for (var type : JobType.values()) {
            queued.put(type, 0L);
        }
    }

    /** Counts one job of a {@link #COUNTED} status. */
    public void add(JobStatus status, JobEntries.StatusValue job) {
        if (status == JobStatus.DEAD) {
            dead++;
            oldestDead = Optional.of(oldestDead.filter(job.since()::isAfter).orElse(job.since()));
        } else {
            queued.merge(job.type(), 1L, Long::sum);
        }
    }

    /** Takes the oldest due work of one section. */
    public void addOldest(DueWork work) {
        oldestDue.merge(work.type(), work.dueAt(), (one, other) -> one.isBefore(other) ? one : other);
    }

    public JobCounts counts() {
        return new JobCounts(queued, oldestDue, dead, oldestDead);
    }
}
