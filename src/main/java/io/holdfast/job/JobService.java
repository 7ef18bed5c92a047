package io.holdfast.job;

import io.holdfast.job.action.Claim;
import io.holdfast.job.action.JobTransactions;
import io.holdfast.job.action.Reports;
import io.holdfast.job.dispatch.ClaimDispatcher;
import io.holdfast.job.dispatch.ClaimRequest;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Progress;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.CancelOutcome;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.ClusterQuery;
import io.holdfast.job.port.CreateOutcome;
import io.holdfast.job.port.Decision;
import io.holdfast.job.port.Finish;
import io.holdfast.job.port.FinishOutcome;
import io.holdfast.job.port.HeartbeatOutcome;
import io.holdfast.job.port.JobListener;
import io.holdfast.job.port.JobQuery;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.NewJob;
import io.holdfast.job.port.RetryOutcome;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.Text;
import io.holdfast.kernel.Timestamped;
import io.holdfast.kernel.Unis;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Entry point for clusters and jobs. Validates limits and delegates to the rules. Thread-safe and non-blocking. */
@Singleton
public class JobService {
    private final JobStore store;
    private final JobTransactions transactions;
    private final Reports reports;
    private final ClaimDispatcher dispatcher;
    private final JobLimits limits;
    private final JobListener listener;
    private final InstantSource clock;

    public JobService(
            JobStore store,
            JobTransactions transactions,
            ClaimDispatcher dispatcher,
            JobLimits limits,
            JobListener listener,
            InstantSource clock) {
        this.store = store;
        this.transactions = transactions;
        this.reports = new Reports(store, transactions, listener);
        this.dispatcher = dispatcher;
        this.limits = limits;
        this.listener = listener;
        this.clock = clock;
    }

    public record NewCluster(Optional<ClusterId> id, ClusterName name, ClusterLabels labels, Optional<Duration> ttl) {}

    /** @param jobs the jobs of its queue, in their order */
    public record ClusterView(Cluster cluster, List<Job> jobs) {}

    public Uni<CreateOutcome> create(NewCluster wanted) {
        var id = wanted.id().orElseGet(ClusterId::random);
        var ttl = limits.ttl(wanted.ttl());
        return transactions
                .<CreateOutcome>run((rules, now) -> store.findCluster(id)
                        .chain(found -> found.isPresent()
                                ? Uni.createFrom().item(refused(existing(found.get(), wanted, ttl)))
                                : createIfNameIsFree(id, wanted, ttl, now)))
                .invoke(outcome -> {
                    if (outcome instanceof CreateOutcome.Created created) {
                        listener.created(created.cluster());
                    }
                });
    }

    private Uni<Decision<CreateOutcome>> createIfNameIsFree(
            ClusterId id, NewCluster wanted, Optional<Duration> ttl, Instant now) {
        return store.findName(wanted.name()).map(by -> {
            if (by.isPresent()) {
                return refused(new CreateOutcome.NameTaken(by.get()));
            }
            // An earlier cluster with this id may have been deleted. Its versions were lower.
            var cluster = Cluster.created(id, wanted.name(), wanted.labels(), ttl, now, now.toEpochMilli());
            var change = new Changes.ClusterChange(Optional.empty(), cluster);
            return new Decision<>(
                    new CreateOutcome.Created(cluster),
                    Optional.of(new Changes(Optional.of(change), List.of(), Optional.empty(), Optional.empty())),
                    List.of());
        });
    }

    private static CreateOutcome existing(Cluster found, NewCluster wanted, Optional<Duration> ttl) {
        var same = found.name().equals(wanted.name())
                && found.labels().equals(wanted.labels())
                && found.life().ttl().equals(ttl);
        return same ? new CreateOutcome.CreatedBefore(found) : new CreateOutcome.IdTaken(found);
    }

    private static Decision<CreateOutcome> refused(CreateOutcome outcome) {
        return new Decision<>(outcome, Optional.empty(), List.of());
    }

    public Uni<Optional<Timestamped<ClusterView>>> findCluster(ClusterId id) {
        return Unis.chainIfPresent(store.findCluster(id), cluster -> {
            var ids = cluster.queue().stream().map(QueuedJob::id).toList();
            return store.findJobs(ids)
                    .map(jobs -> Optional.of(new Timestamped<>(new ClusterView(cluster, jobs), clock.instant())));
        });
    }

    public Uni<Page<Cluster>> listClusters(
            Optional<ClusterStatus> status, String prefix, Optional<Integer> limit, Optional<Cursor> after) {
        return store.clusters(
                new ClusterQuery(status, Text.namePrefix("prefix", prefix), limits.listLimit(limit), after));
    }

    public Uni<SubmitOutcome> submit(ClusterId cluster, NewJob asked) {
        asked.idempotencyKey().ifPresent(key -> Text.printable("idempotency_key", key, JobLimits.KEY_LENGTH_MAX));
        var wanted = new NewJob(
                asked.type(),
                limits.json("params", asked.params()),
                asked.idempotencyKey(),
                limits.deadline(asked.deadline()));
        return transactions
                .<SubmitOutcome>onCluster(
                        cluster,
                        found -> (rules, now) -> keyed(found, wanted)
                                .map(before -> rules.submissions().submit(found, wanted, before, now)))
                .map(outcome -> outcome.orElseGet(SubmitOutcome.NoSuchCluster::new))
                .invoke(outcome -> {
                    if (outcome instanceof SubmitOutcome.Submitted submitted) {
                        listener.submitted(submitted.job());
                    }
                });
    }

    private Uni<Optional<Job>> keyed(Cluster cluster, NewJob wanted) {
        return wanted.idempotencyKey()
                .map(key -> Unis.chainIfPresent(store.findKey(cluster.id(), key), store::findJob))
                .orElseGet(() -> Uni.createFrom().item(Optional.empty()));
    }

    /**
     * @param types empty for all
     * @param allowed the clusters whose jobs the worker may get; asked often, so it must be cheap
     */
    public Uni<Optional<Timestamped<Claim>>> claim(
            WorkerName worker,
            Set<JobType> types,
            ClusterLabels labels,
            Optional<Duration> wait,
            Predicate<ClusterId> allowed) {
        var accepted = types.isEmpty() ? EnumSet.allOf(JobType.class) : types;
        var request = new ClaimRequest(worker, accepted, labels, limits.waitAllowed(wait), allowed);
        return dispatcher.claim(request).map(found -> found.map(claim -> new Timestamped<>(claim, clock.instant())));
    }

    /** How long a claim is valid without a heartbeat, if the deadline of the run is not earlier. */
    public Duration lease() {
        return limits.config().lease();
    }

    /** How often a worker should send a heartbeat. */
    public Duration heartbeatEvery() {
        return limits.config().heartbeatEvery();
    }

    public Uni<Timestamped<HeartbeatOutcome>> heartbeat(JobId id, long epoch, Optional<Progress> progress) {
        return reports.heartbeat(id, epoch, progress).map(outcome -> new Timestamped<>(outcome, clock.instant()));
    }

    public Uni<FinishOutcome> finish(JobId id, long epoch, Finish finish) {
        if (finish instanceof Finish.Complete complete) {
            complete.result().ifPresent(result -> limits.json("result", result));
        }
        return reports.finish(id, epoch, finish);
    }

    public Uni<CancelOutcome> cancel(JobId id, String reason) {
        Text.reason("reason", reason, JobLimits.REASON_LENGTH_MAX);
        return transactions
                .<CancelOutcome>onJob(
                        id, (rules, seen, job, now) -> rules.operator().cancel(seen, job, reason, now))
                .map(outcome -> outcome.orElseGet(CancelOutcome.NoSuchJob::new))
                .invoke(outcome -> {
                    switch (outcome) {
                        case CancelOutcome.Cancelled cancelled -> listener.cancelled(cancelled.job());
                        case CancelOutcome.Requested requested -> listener.cancelRequested(requested.job());
                        case CancelOutcome.Ended ended -> {}
                        case CancelOutcome.NoSuchJob none -> {}
                    }
                });
    }

    public Uni<RetryOutcome> retry(JobId id, String reason) {
        Text.reason("reason", reason, JobLimits.REASON_LENGTH_MAX);
        return transactions
                .<RetryOutcome>onJob(
                        id, (rules, seen, job, now) -> rules.operator().retry(seen, job, now))
                .map(outcome -> outcome.orElseGet(RetryOutcome.NoSuchJob::new))
                .invoke(outcome -> {
                    if (outcome instanceof RetryOutcome.Retried retried) {
                        listener.retried(retried.job(), reason);
                    }
                });
    }

    public Uni<Optional<Timestamped<Job>>> findJob(JobId id) {
        return store.findJob(id).map(found -> found.map(job -> new Timestamped<>(job, clock.instant())));
    }

    public Uni<Timestamped<Page<Job>>> listJobs(
            Optional<JobStatus> status,
            Optional<JobType> type,
            Optional<ClusterId> cluster,
            Optional<Integer> limit,
            Optional<Cursor> after) {
        return store.jobs(new JobQuery(status, type, cluster, limits.listLimit(limit), after))
                .map(page -> new Timestamped<>(page, clock.instant()));
    }

    public Instant now() {
        return clock.instant();
    }
}
