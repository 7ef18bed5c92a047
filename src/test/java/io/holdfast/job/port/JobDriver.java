package io.holdfast.job.port;

import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.complete;
import static io.holdfast.job.port.JobFixtures.creating;
import static io.holdfast.job.port.JobFixtures.wanted;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.model.WorkerName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads, decides by the rules and commits, one step after the other. Each step must succeed. */
public final class JobDriver {
    private final JobStore store;

    public JobDriver(JobStore store) {
        this.store = store;
    }

    public Cluster create(Cluster cluster, Instant now) {
        assertThat(commit(creating(cluster), now)).isTrue();
        return cluster;
    }

    public Job submit(ClusterId cluster, JobType type, Instant now) {
        return submit(cluster, wanted(type), now);
    }

    public Job submit(ClusterId cluster, NewJob wanted, Instant now) {
        var decision = RULES.submissions().submit(cluster(cluster), wanted, Optional.empty(), now);
        made(decision, now);
        return ((SubmitOutcome.Submitted) decision.outcome()).job();
    }

    public Job claim(Job job, WorkerName worker, Instant now) {
        var decision = decideClaim(job, worker, now);
        made(decision, now);
        return ((ClaimOutcome.Claimed) decision.outcome()).job();
    }

    public Decision<ClaimOutcome> decideClaim(Job job, WorkerName worker, Instant now) {
        return RULES.claims().claim(snapshot(job), job.id(), worker, now);
    }

    public Job heartbeat(Job job, Instant now) {
        var seen = snapshot(job);
        var decision =
                RULES.runs().heartbeat(seen, seen.job(job.id()).orElseThrow(), epoch(job), Optional.empty(), now);
        made(decision, now);
        return ((HeartbeatOutcome.Extended) decision.outcome()).job();
    }

    public Job finish(Job job, Finish finish, Instant now) {
        var decision = decideFinish(job, finish, now);
        made(decision, now);
        return ((FinishOutcome.Finished) decision.outcome()).job();
    }

    public Decision<FinishOutcome> decideFinish(Job job, Finish finish, Instant now) {
        var seen = snapshot(job);
        return RULES.runs().finish(seen, seen.job(job.id()).orElseThrow(), epoch(job), finish, now);
    }

    public Job cancel(Job job, Instant now) {
        var seen = snapshot(job);
        made(RULES.operator().cancel(seen, seen.job(job.id()).orElseThrow(), "no longer wanted", now), now);
        return job(job.id());
    }

    public Job retry(Job job, Instant now) {
        var seen = snapshot(job);
        var decision = RULES.operator().retry(seen, seen.job(job.id()).orElseThrow(), now);
        made(decision, now);
        return ((RetryOutcome.Retried) decision.outcome()).job();
    }

    /** Submits a job, and runs it to its end. */
    public Job run(ClusterId cluster, JobType type, WorkerName worker, Finish finish, Instant now) {
        var job = submit(cluster, type, now);
        return finish(claim(job, worker, now), finish, now.plusSeconds(1));
    }

    public void made(Decision<?> decision, Instant now) {
        assertThat(commit(decision, now)).as("commit of %s", decision).isTrue();
    }

    public boolean commit(Decision<?> decision, Instant now) {
        return commit(complete(decision, this::job, now).orElseThrow(), now);
    }

    public boolean commit(Changes changes, Instant now) {
        return await(store.commit(changes, now, now.plus(KEPT)));
    }

    public Snapshot snapshot(Job job) {
        return await(store.snapshot(job.cluster(), List.of(job.id()))).orElseThrow();
    }

    public Cluster cluster(ClusterId id) {
        return await(store.findCluster(id)).orElseThrow();
    }

    public Job job(JobId id) {
        return await(store.findJob(id)).orElseThrow();
    }

    private static long epoch(Job job) {
        return job.lastRun().map(Run::epoch).orElseThrow();
    }
}
