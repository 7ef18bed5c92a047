package io.holdfast.job.dispatch;

import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.creating;
import static io.holdfast.job.port.JobFixtures.wanted;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.job.action.Claim;
import io.holdfast.job.action.Claims;
import io.holdfast.job.action.JobSignals;
import io.holdfast.job.action.JobTransactions;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Finish;
import io.holdfast.job.port.FinishOutcome;
import io.holdfast.job.port.JobFixtures;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobTerms;
import io.holdfast.job.port.SilentJobListener;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.port.Fixtures;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;

/** One replica on a store, whose time the test moves. Each step must succeed. */
public final class JobReplica {
    /** As the settings are by default. */
    public static final Duration POLL_EVERY = Duration.ofSeconds(5);

    private static final int WAITING_MAX = 10_000;
    private static final int QUEUE_MAX = 30;
    private static final int FILLED_AT_ONCE = 64;

    private final JobStore store;
    private final TestClock clock;
    private final JobTransactions transactions;
    private final ClaimDispatcher dispatcher;

    public JobReplica(JobStore store, TestClock clock, FakeTimers timers) {
        this.store = store;
        this.clock = clock;
        var signal = new JobSignals();
        this.transactions =
                new JobTransactions(store, terms(), Fixtures.RULES, KEPT, clock, SilentJobListener.INSTANCE, signal);
        this.dispatcher = new ClaimDispatcher(
                store,
                new Claims(store, transactions, SilentJobListener.INSTANCE),
                signal,
                new DispatchTerms(POLL_EVERY, WAITING_MAX),
                timers,
                clock);
    }

    private static JobTerms terms() {
        var terms = JobFixtures.TERMS;
        return new JobTerms(
                terms.lease(),
                terms.rescueAfter(),
                terms.attemptsMax(),
                terms.retryDelay(),
                terms.retryDelayMax(),
                QUEUE_MAX,
                terms.deadlines());
    }

    /**
     * Queues so many jobs in each of so many new clusters. The first of each is a CREATE. A cluster lists as many ended
     * jobs as it ever does, so that its record does not grow while a test measures.
     */
    public void fill(int clusters, int jobsEach) {
        Multi.createFrom()
                .range(0, clusters)
                .onItem()
                .transformToUni(i -> filled(jobsEach))
                .merge(FILLED_AT_ONCE)
                .collect()
                .last()
                .await()
                .indefinitely();
    }

    private Uni<Void> filled(int jobs) {
        var cluster = withHistory(aCluster());
        return store.commit(creating(cluster), clock.instant(), clock.instant().plus(KEPT))
                .chain(() -> Multi.createFrom()
                        .range(0, jobs)
                        .onItem()
                        .transformToUniAndConcatenate(
                                i -> submitted(cluster.id(), i == 0 ? JobType.CREATE : JobType.SCALE_WORKERS))
                        .collect()
                        .last()
                        .replaceWithVoid());
    }

    private static Cluster withHistory(Cluster cluster) {
        var aged = cluster;
        for (var i = 0; i < Cluster.ENDED_MAX; i++) {
            aged = aged.without(JobId.newAt(NOON));
        }
        return aged;
    }

    private Uni<SubmitOutcome.Submitted> submitted(ClusterId cluster, JobType type) {
        return transactions
                .<SubmitOutcome>onCluster(
                        cluster,
                        found -> (rules, now) -> Uni.createFrom()
                                .item(rules.submissions().submit(found, wanted(type), Optional.empty(), now)))
                .map(outcome -> (SubmitOutcome.Submitted) outcome.orElseThrow());
    }

    public void submit(ClusterId cluster, JobType type) {
        await(submitted(cluster, type));
    }

    /** A worker that can do everything asks for a job. */
    public Uni<Optional<Claim>> ask(String worker, Duration wait) {
        return dispatcher.claim(
                new ClaimRequest(new WorkerName(worker), EnumSet.allOf(JobType.class), ClusterLabels.NONE, wait));
    }

    public Claim claim(String worker) {
        return await(ask(worker, Duration.ZERO)).orElseThrow();
    }

    public void complete(Claim claim) {
        var outcome = await(transactions.<FinishOutcome>onJob(claim.job().id(), (rules, seen, job, now) -> rules.runs()
                .finish(seen, job, claim.run().epoch(), new Finish.Complete(Optional.empty()), now)));
        if (!(outcome.orElseThrow() instanceof FinishOutcome.Finished)) {
            throw new IllegalStateException("Not completed: " + outcome);
        }
    }

    public int waiting() {
        return dispatcher.waiting();
    }
}
