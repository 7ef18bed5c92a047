package io.holdfast.job.port;

import static io.holdfast.job.port.JobFixtures.complete;
import static io.holdfast.job.port.JobFixtures.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Changes.WorkerStep;
import io.holdfast.lock.model.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One cluster with its jobs, its lock and its workers, in memory. Applies what the rules decide, at a time of its own. */
final class JobWorld {
    final JobRules rules;
    Instant now;
    Cluster cluster;
    Optional<LockRecord> lock = Optional.empty();
    final Map<WorkerName, JobId> workers = new HashMap<>();
    private final Map<JobId, Job> jobs = new HashMap<>();

    JobWorld(JobRules rules, Cluster cluster, Instant now) {
        this.rules = rules;
        this.cluster = cluster;
        this.now = now;
    }

    Snapshot seen() {
        return new Snapshot(cluster, jobs, lock);
    }

    Job job(Job job) {
        return job(job.id());
    }

    Job job(JobId id) {
        return Optional.ofNullable(jobs.get(id)).orElseThrow();
    }

    void wait(Duration duration) {
        now = now.plus(duration);
    }

    SubmitOutcome trySubmit(NewJob wanted) {
        return applied(rules.submissions().submit(cluster, wanted, Optional.empty(), now));
    }

    /** Jobs are a second apart, so that their ids have an order. */
    Job submit(JobType type) {
        wait(Duration.ofSeconds(1));
        var outcome = trySubmit(wanted(type));
        assertThat(outcome).isInstanceOf(SubmitOutcome.Submitted.class);
        return ((SubmitOutcome.Submitted) outcome).job();
    }

    ClaimOutcome tryClaim(Job job, WorkerName worker) {
        return applied(rules.claims().claim(seen(), job.id(), worker, now));
    }

    Job claim(Job job, WorkerName worker) {
        var outcome = tryClaim(job, worker);
        assertThat(outcome).isInstanceOf(ClaimOutcome.Claimed.class);
        return ((ClaimOutcome.Claimed) outcome).job();
    }

    HeartbeatOutcome heartbeat(Job claimed) {
        return applied(rules.runs().heartbeat(seen(), job(claimed), epoch(claimed), Optional.empty(), now));
    }

    FinishOutcome tryFinish(Job claimed, Finish finish) {
        return applied(rules.runs().finish(seen(), job(claimed), epoch(claimed), finish, now));
    }

    Job finish(Job claimed, Finish finish) {
        var outcome = tryFinish(claimed, finish);
        assertThat(outcome).isInstanceOf(FinishOutcome.Finished.class);
        return ((FinishOutcome.Finished) outcome).job();
    }

    CancelOutcome cancel(Job job) {
        return applied(rules.operator().cancel(seen(), job(job), "no longer wanted", now));
    }

    RetryOutcome retry(Job job) {
        return applied(rules.operator().retry(seen(), job(job), now));
    }

    RescueOutcome rescue(Job read) {
        return applied(rules.rescues().rescue(seen(), read, now));
    }

    Job run(JobType type, Finish finish) {
        return finish(claim(submit(type), JobFixtures.WORKER), finish);
    }

    /** A cluster in this status that no job has changed. */
    JobWorld in(ClusterStatus status) {
        cluster = cluster.withStatus(status);
        return this;
    }

    /** Every change must be of what is there, as a store checks it. */
    <O> O applied(Decision<O> decision) {
        complete(decision, this::job, now).ifPresent(this::apply);
        return decision.outcome();
    }

    private void apply(Changes changes) {
        changes.cluster().ifPresent(change -> {
            assertThat(change.before()).contains(cluster);
            assertThat(change.after().version()).isNotEqualTo(cluster.version());
            cluster = change.after();
        });
        changes.jobs().forEach(change -> {
            var stored = Optional.ofNullable(jobs.get(change.after().id()));
            assertThat(change.before()).isEqualTo(stored);
            assertThat(stored.map(Job::version))
                    .isNotEqualTo(Optional.of(change.after().version()));
            jobs.put(change.after().id(), change.after());
        });
        changes.lock().ifPresent(step -> {
            assertThat(step.seen()).isEqualTo(lock);
            assertThat(step.name()).isEqualTo(cluster.id().lock());
            lock = step.written().or(() -> lock);
        });
        changes.worker().ifPresent(step -> {
            switch (step) {
                case WorkerStep.Starts starts ->
                    assertThat(workers.put(starts.worker(), starts.job())).isNull();
                case WorkerStep.Stops stops ->
                    assertThat(workers.remove(stops.worker())).isEqualTo(stops.job());
            }
        });
    }

    static long epoch(Job claimed) {
        return claimed.lastRun().map(Run::epoch).orElseThrow();
    }
}
