package io.holdfast.job.history;

import static io.holdfast.lock.port.Fixtures.SKEW;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Judges a history by what workers and submitters were told, never by what is stored. Times are true times. */
final class JobOracle {
    /** How long one worker may rely on its claim. */
    static final class Reliance {
        final String worker;
        final ClusterId cluster;
        final JobId job;
        final long epoch;
        /** When it stops to rely on its claim: at the end of its work, or of its lease. */
        Instant until;
        /** The end of its lease, as it was told. */
        Instant leaseUntil;
        /** The end of its lease, if a heartbeat whose answer was lost has extended it. */
        Instant leaseUntilAtMost;
        /** Whether it was told that its job is to be cancelled. */
        boolean cancelTold;

        Reliance(String worker, Job job, long epoch, Instant until) {
            this.worker = worker;
            this.cluster = job.cluster();
            this.job = job.id();
            this.epoch = epoch;
            this.until = until;
            this.leaseUntil = until;
            this.leaseUntilAtMost = until;
        }
    }

    private final Map<ClusterId, List<Reliance>> reliances = new HashMap<>();
    private final Map<JobId, JobStatus> ended = new HashMap<>();
    private final Set<JobId> submitted = new TreeSet<>();

    void submitted(Job job) {
        submitted.add(job.id());
    }

    Set<JobId> submitted() {
        return submitted;
    }

    /** A worker was told that it runs a job. It relies on that from before it asked until the lease ends. */
    Reliance claimed(String worker, Job job, long epoch, Instant asked, Instant until) {
        assertThat(ended).as("a job that has ended is not run").doesNotContainKey(job.id());
        var told = reliances.computeIfAbsent(job.cluster(), none -> new ArrayList<>());
        for (var other : told) {
            if (other.epoch == epoch) {
                assertThat(other.worker).as("one epoch has one worker").isEqualTo(worker);
            } else {
                assertThat(other.epoch).as("epochs rise").isLessThan(epoch);
                assertThat(other.cancelTold && other.job.equals(job.id()))
                        .as("a job is not run after %s was told of its cancellation", other.worker)
                        .isFalse();
                assertThat(other.until)
                        .as("%s relies on cluster %s until", other.worker, job.cluster())
                        .isBeforeOrEqualTo(asked);
            }
        }
        var reliance = new Reliance(worker, job, epoch, until);
        told.add(reliance);
        return reliance;
    }

    void extended(Reliance reliance, Instant until) {
        reliance.until = until;
        reliance.leaseUntil = until;
    }

    /** The answer to a heartbeat was lost. */
    void maybeExtended(Reliance reliance, Instant until) {
        if (until.isAfter(reliance.leaseUntilAtMost)) {
            reliance.leaseUntilAtMost = until;
        }
    }

    /** The worker was told that its epoch is stale. That may not happen before the end of its lease. */
    void stale(Reliance reliance, Instant asked) {
        assertThat(reliance.leaseUntil)
                .as("%s is told that it is stale", reliance.worker)
                .isBeforeOrEqualTo(asked);
    }

    /** The worker has ended its work, and is about to report that. */
    void workEnded(Reliance reliance, Instant now) {
        reliance.until = now.isBefore(reliance.until) ? now : reliance.until;
    }

    /** The worker was told that the end of its run is written. */
    void finished(Reliance reliance, Job job, boolean failed, Instant asked) {
        assertThat(asked)
                .as("%s reports in time", reliance.worker)
                .isBeforeOrEqualTo(reliance.leaseUntilAtMost.plus(SKEW));
        if (failed && reliance.cancelTold) {
            assertThat(job.status()).as("a cancelled job is not run again").isEqualTo(JobStatus.CANCELLED);
        }
        seen(job);
    }

    /** A client has read the job. */
    void seen(Job job) {
        var before = ended.get(job.id());
        if (before != null) {
            assertThat(job.status()).as("a job that has ended stays so").isEqualTo(before);
        } else if (job.status().isEnded() && job.status() != JobStatus.DEAD) {
            ended.put(job.id(), job.status());
        }
    }
}
