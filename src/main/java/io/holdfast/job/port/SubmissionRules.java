package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.job.port.Changes.JobChange;
import io.holdfast.job.port.Decision.Ending;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which jobs are added to the queue of a cluster: those that a client submits, and the destroy at the end of its TTL.
 *
 * @param trustsClock false while the local clock is suspect; no TTL is over then
 */
public record SubmissionRules(JobTerms terms, boolean trustsClock) {

    /** @param keyed the job that was submitted with the same key before */
    public Decision<SubmitOutcome> submit(Cluster cluster, NewJob wanted, Optional<Job> keyed, Instant now) {
        if (keyed.isPresent()) {
            return Decision.refuse(repeated(wanted, keyed.get()));
        }
        var possible = cluster.possibleAfterQueue();
        if (possible.stream().noneMatch(wanted.type()::startsFrom)) {
            var from = cluster.expectedAfterQueue();
            return Decision.refuse(new SubmitOutcome.Illegal(from, wanted.type().during(), from.allowed()));
        }
        var superseded = wanted.type().destroys() ? superseded(cluster) : List.<Ending>of();
        var remaining = without(cluster, superseded);
        if (remaining.queue().size() >= terms.queueMax()) {
            return Decision.refuse(new SubmitOutcome.QueueFull(remaining.queue().size()));
        }
        var deadline = wanted.deadline().orElseGet(() -> terms.deadlines().get(wanted.type()));
        var order = new Job.Order(wanted.params(), wanted.idempotencyKey(), deadline, now);
        var job = Job.submitted(JobId.newAt(now), cluster.id(), wanted.type(), order, terms.attemptsMax());
        var change =
                new ClusterChange(Optional.of(cluster), remaining.enqueued(job).writtenAt(now));
        return new Decision<>(
                new SubmitOutcome.Submitted(job, superseded),
                Optional.of(Changes.of(change, List.of(new JobChange(Optional.empty(), job)))),
                superseded);
    }

    private static SubmitOutcome repeated(NewJob wanted, Job before) {
        var same = before.type() == wanted.type()
                && before.order().params().equals(wanted.params())
                && wanted.deadline()
                        .filter(deadline -> !deadline.equals(before.order().deadline()))
                        .isEmpty();
        return same ? new SubmitOutcome.SubmittedBefore(before) : new SubmitOutcome.KeyReused(before);
    }

    /** Queued changes of a cluster that is to be destroyed are pointless. */
    private static List<Ending> superseded(Cluster cluster) {
        return cluster.queue().stream()
                .filter(SubmissionRules::isPointlessBeforeDestroy)
                .map(job -> new Ending(job.id(), JobStatus.CANCELLED, superseded()))
                .toList();
    }

    private static boolean isPointlessBeforeDestroy(QueuedJob job) {
        return job.type() == JobType.SCALE_WORKERS && !job.isStarted();
    }

    private static JobError superseded() {
        return JobError.of(JobError.SUPERSEDED, "A destroy of the cluster was submitted.");
    }

    /** The error of a job that was claimed when a destroy was submitted, and is not claimed any more. */
    static Optional<JobError> supersededIn(Cluster cluster, QueuedJob job) {
        var isDestroyed =
                cluster.queue().stream().anyMatch(other -> other.type().destroys());
        return isDestroyed && isPointlessBeforeDestroy(job) ? Optional.of(superseded()) : Optional.empty();
    }

    private static Cluster without(Cluster cluster, List<Ending> endings) {
        var rest = cluster;
        for (var ending : endings) {
            rest = rest.without(ending.job());
        }
        return rest;
    }

    /** The TTL of the cluster is over: submits a destroy, unless one is queued. */
    public Decision<Optional<Job>> expire(Cluster cluster, Instant now) {
        var over = cluster.life().expiresAt().filter(at -> !at.isAfter(now)).isPresent()
                && !cluster.life().expiryHandled()
                && cluster.queue().stream().noneMatch(job -> job.type().destroys());
        if (!over || !trustsClock) {
            return Decision.refuse(Optional.empty());
        }
        if (cluster.status() == ClusterStatus.PENDING && cluster.queue().isEmpty()) {
            // It was never created, so there is nothing to destroy.
            var gone = cluster.withExpiryHandled(true)
                    .withStatus(ClusterStatus.DESTROYED)
                    .writtenAt(now);
            var change = new ClusterChange(Optional.of(cluster), gone);
            return new Decision<>(Optional.empty(), Optional.of(Changes.of(change, List.of())), List.of());
        }
        var wanted = new NewJob(JobType.JANITOR_DESTROY, "{}", Optional.empty(), Optional.empty());
        var decision = submit(cluster.withExpiryHandled(true), wanted, Optional.empty(), now);
        var job = decision.outcome() instanceof SubmitOutcome.Submitted submitted
                ? Optional.of(submitted.job())
                : Optional.<Job>empty();
        return new Decision<>(job, decision.changes().map(changes -> readAs(cluster, changes)), decision.endings());
    }

    /** The change was decided on an altered copy of the cluster. */
    private static Changes readAs(Cluster before, Changes changes) {
        var after = changes.cluster().orElseThrow().after();
        return Changes.of(new ClusterChange(Optional.of(before), after), changes.jobs());
    }
}
