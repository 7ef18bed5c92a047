package io.holdfast.job.janitor;

import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.TERMS;
import static io.holdfast.job.port.JobFixtures.creating;
import static io.holdfast.job.port.JobFixtures.wanted;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.action.Claims;
import io.holdfast.job.action.JobSignals;
import io.holdfast.job.action.JobTransactions;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.ClaimOutcome;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.Finish;
import io.holdfast.job.port.FinishOutcome;
import io.holdfast.job.port.HeartbeatOutcome;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.lock.port.Fixtures;
import io.smallrye.mutiny.Uni;
import java.time.InstantSource;
import java.util.Optional;

/** Clusters, and workers that run their jobs, on one clock. Each step must succeed. */
final class Workshop {
    private final JobStore store;
    private final InstantSource clock;
    private final JobTransactions transactions;
    private final Claims claims;
    private int workers;

    Workshop(JobStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        var listener = new HeardJobs();
        this.transactions = new JobTransactions(store, TERMS, Fixtures.RULES, KEPT, clock, listener, new JobSignals());
        this.claims = new Claims(store, transactions, listener);
    }

    Cluster create(Cluster cluster) {
        assertThat(await(store.commit(creating(cluster), clock.instant(), clock.instant())))
                .isTrue();
        return cluster;
    }

    Job submit(ClusterId cluster, JobType type) {
        var outcome = await(transactions.<SubmitOutcome>onCluster(
                        cluster,
                        found -> (rules, now) -> Uni.createFrom()
                                .item(rules.submissions().submit(found, wanted(type), Optional.empty(), now))))
                .orElseThrow();
        return ((SubmitOutcome.Submitted) outcome).job();
    }

    /** A new worker claims the job. */
    Job claim(Job job) {
        var cluster = await(store.findCluster(job.cluster())).orElseThrow();
        var work = new DueWork(cluster.id(), job.id(), job.type(), job.dueAt(), cluster.labels());
        var outcome = await(claims.claim(work, new WorkerName("worker-" + ++workers), any -> true));
        return ((ClaimOutcome.Claimed) outcome).job();
    }

    Job run(ClusterId cluster, JobType type) {
        return claim(submit(cluster, type));
    }

    Job heartbeat(Job job) {
        var outcome = await(transactions.<HeartbeatOutcome>onJob(job.id(), (rules, seen, found, now) -> rules.runs()
                        .heartbeat(seen, found, epoch(job), Optional.empty(), now)))
                .orElseThrow();
        return ((HeartbeatOutcome.Extended) outcome).job();
    }

    Job finish(Job job, Finish finish) {
        var outcome = await(transactions.<FinishOutcome>onJob(job.id(), (rules, seen, found, now) -> rules.runs()
                        .finish(seen, found, epoch(job), finish, now)))
                .orElseThrow();
        return ((FinishOutcome.Finished) outcome).job();
    }

    private static long epoch(Job job) {
        return job.lastRun().orElseThrow().epoch();
    }
}
