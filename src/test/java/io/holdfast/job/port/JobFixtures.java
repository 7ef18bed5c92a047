package io.holdfast.job.port;

import static io.holdfast.lock.port.Fixtures.NOON;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.job.port.Changes.JobChange;
import io.holdfast.lock.port.Fixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Short words for job tests. */
public final class JobFixtures {
    public static final Duration LEASE = Duration.ofMinutes(60);
    public static final Duration RESCUE_AFTER = Duration.ofMinutes(5);
    /** Just long enough for the rescue of a run whose lease began now. */
    public static final Duration OVERDUE =
            LEASE.plus(RESCUE_AFTER).plus(Fixtures.SKEW).plusMillis(1);

    public static final Duration RETRY_DELAY = Duration.ofMinutes(5);
    public static final Duration DEADLINE = Duration.ofHours(3);
    public static final int ATTEMPTS_MAX = 3;
    public static final int QUEUE_MAX = 8;
    public static final Duration KEPT = Duration.ofDays(14);

    public static final JobTerms TERMS = new JobTerms(
            LEASE, RESCUE_AFTER, ATTEMPTS_MAX, RETRY_DELAY, Duration.ofMinutes(30), QUEUE_MAX, deadlines());

    public static final JobRules RULES = new JobRules(TERMS, Fixtures.RULES);

    public static final WorkerName WORKER = new WorkerName("worker-1");
    public static final WorkerName OTHER_WORKER = new WorkerName("worker 2");

    public static final JobError THROTTLED = JobError.of("THROTTLED", "Too many requests.");

    public static final Finish DONE = new Finish.Complete(Optional.of("{\"nodes\":3}"));
    public static final Finish TRANSIENT = new Finish.Fail(THROTTLED, true);
    public static final Finish PERMANENT = new Finish.Fail(JobError.of("QUOTA", "The quota is exceeded."), false);

    private JobFixtures() {}

    public static ClusterName aName() {
        return new ClusterName("cluster-" + UUID.randomUUID(), "aws", "example.com");
    }

    public static Cluster aCluster() {
        return named(aName());
    }

    public static Cluster named(ClusterName name) {
        return Cluster.created(ClusterId.random(), name, ClusterLabels.NONE, Optional.empty(), NOON, 1);
    }

    public static Cluster living(Duration ttl) {
        return Cluster.created(ClusterId.random(), aName(), ClusterLabels.NONE, Optional.of(ttl), NOON, 1);
    }

    public static NewJob wanted(JobType type) {
        return new NewJob(type, "{}", Optional.empty(), Optional.empty());
    }

    public static NewJob keyed(JobType type, String key) {
        return new NewJob(type, "{}", Optional.of(key), Optional.empty());
    }

    /** The changes that create a cluster. */
    public static Changes creating(Cluster cluster) {
        return Changes.of(new ClusterChange(Optional.empty(), cluster), List.of());
    }

    /** The changes that store new jobs, without clusters. */
    public static Changes submitting(Job... jobs) {
        var changes = new ArrayList<JobChange>();
        for (var job : jobs) {
            changes.add(new JobChange(Optional.empty(), job));
        }
        return new Changes(Optional.empty(), changes, Optional.empty(), Optional.empty());
    }

    /** A job that is not in the queue of any cluster. */
    public static Job aJob(JobType type, Instant createdAt) {
        var order = new Job.Order("{}", Optional.empty(), DEADLINE, createdAt);
        return Job.submitted(JobId.newAt(createdAt), ClusterId.random(), type, order, ATTEMPTS_MAX);
    }

    /**
     * The changes of a decision, with the ends of further jobs.
     *
     * @param read reads the jobs that end
     */
    public static Optional<Changes> complete(Decision<?> decision, Function<JobId, Job> read, Instant now) {
        return decision.changes().map(changes -> {
            var jobs = new ArrayList<>(changes.jobs());
            for (var ending : decision.endings()) {
                var job = read.apply(ending.job());
                var end = new Job.End(now, Optional.of(ending.error()), Optional.empty());
                jobs.add(new JobChange(Optional.of(job), job.ended(ending.status(), Optional.empty(), end)));
            }
            return new Changes(changes.cluster(), jobs, changes.lock(), changes.worker());
        });
    }

    private static Map<JobType, Duration> deadlines() {
        var deadlines = new EnumMap<JobType, Duration>(JobType.class);
        for (var type : JobType.values()) {
            deadlines.put(type, DEADLINE);
        }
        return deadlines;
    }
}
