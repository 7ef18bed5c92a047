package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.job.port.Decision.Ending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/** Which queued jobs of a cluster end without a run, because its status does not allow them. */
final class QueueRules {
    private QueueRules() {}

    /**
     * Completes a decision after which another job may be the first of the queue. Ends the jobs whose turn has come and
     * that the cluster's status does not allow.
     */
    static <O> Decision<O> settle(O outcome, Changes changes, Instant now) {
        var cluster = changes.cluster().orElseThrow();
        var endings = new ArrayList<Ending>();
        var settled = cluster.after();
        while (settled.claimable().isPresent()
                && !settled.admits(settled.claimable().get())) {
            var head = settled.claimable().get();
            endings.add(new Ending(head.id(), JobStatus.FAILED, illegalState(settled)));
            settled = withoutUnstarted(settled, head);
        }
        var written = new ClusterChange(cluster.before(), settled.writtenAt(now));
        return new Decision<>(
                outcome,
                Optional.of(new Changes(Optional.of(written), changes.jobs(), changes.lock(), changes.worker())),
                endings);
    }

    /** Removes a job that ends before it could start. If it was the janitor's, the janitor may submit another one. */
    static Cluster withoutUnstarted(Cluster cluster, QueuedJob job) {
        var rest = cluster.without(job.id());
        return job.type() == JobType.JANITOR_DESTROY ? rest.withExpiryHandled(false) : rest;
    }

    static JobError illegalState(Cluster cluster) {
        return JobError.of(
                JobError.ILLEGAL_STATE, "The cluster was " + cluster.status() + " when the job's turn came.");
    }
}
