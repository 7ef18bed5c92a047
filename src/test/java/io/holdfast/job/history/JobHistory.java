package io.holdfast.job.history;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.action.Claim;
import io.holdfast.job.action.Claims;
import io.holdfast.job.action.JobSignals;
import io.holdfast.job.action.JobTransactions;
import io.holdfast.job.dispatch.ClaimDispatcher;
import io.holdfast.job.dispatch.ClaimRequest;
import io.holdfast.job.dispatch.DispatchTerms;
import io.holdfast.job.dispatch.WorkerBusyException;
import io.holdfast.job.history.FaultyJobStore.Fate;
import io.holdfast.job.history.JobOracle.Reliance;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.CancelOutcome;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.Finish;
import io.holdfast.job.port.FinishOutcome;
import io.holdfast.job.port.HeartbeatOutcome;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobTerms;
import io.holdfast.job.port.NewJob;
import io.holdfast.job.port.RescueOutcome;
import io.holdfast.job.port.RetryOutcome;
import io.holdfast.job.port.SilentJobListener;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.TestClock;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** One random history on a shared store, made from a seed: replicas, workers, clusters, faults and time. */
final class JobHistory {
    private static final Duration LEASE = Duration.ofMinutes(60);
    private static final JobTerms TERMS = new JobTerms(
            LEASE,
            Duration.ofMinutes(5),
            3,
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            30,
            Map.of(
                    JobType.CREATE, Duration.ofHours(3),
                    JobType.DESTROY, Duration.ofHours(3),
                    JobType.SCALE_WORKERS, Duration.ofMinutes(90),
                    JobType.JANITOR_DESTROY, Duration.ofHours(3)));
    private static final List<JobType> SUBMITTED =
            List.of(JobType.CREATE, JobType.SCALE_WORKERS, JobType.SCALE_WORKERS, JobType.DESTROY);

    private final Random random;
    private final JobStore store;
    private final TestClock trueTime = new TestClock(NOON);
    private final JobOracle oracle = new JobOracle();
    private final String run = UUID.randomUUID().toString().substring(0, 8);
    private final List<ClusterId> clusters = new ArrayList<>();
    private final List<Replica> replicas = new ArrayList<>();
    private final List<Reliance> held = new ArrayList<>();
    private final List<JobId> jobs = new ArrayList<>();
    private int workersMade;
    private boolean faulty = true;

    JobHistory(long seed, JobStore store) {
        this.random = new Random(seed);
        this.store = store;
    }

    static void playAll(int histories, JobStore store) {
        for (var seed = 0L; seed < histories; seed++) {
            try {
                new JobHistory(seed, store).play();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** A replica with a clock of its own, within the guard. */
    private final class Replica implements FaultyJobStore.Faults {
        private final InstantSource clock;
        private final JobTransactions transactions;
        private final ClaimDispatcher dispatcher;
        private boolean busy;

        Replica() {
            var offset = Duration.ofMillis(random.nextLong(-SKEW.toMillis() / 2, SKEW.toMillis() / 2 + 1));
            clock = () -> trueTime.instant().plus(offset);
            var reached = FaultyJobStore.around(store, this);
            var signals = new JobSignals();
            transactions = new JobTransactions(
                    reached, TERMS, RULES, Duration.ofDays(14), clock, SilentJobListener.INSTANCE, signals);
            dispatcher = new ClaimDispatcher(
                    reached,
                    new Claims(reached, transactions, SilentJobListener.INSTANCE),
                    signals,
                    new DispatchTerms(Duration.ofSeconds(3), 100),
                    new FakeTimers(trueTime),
                    clock);
        }

        @Override
        public void beforeRead() {
            if (faulty && random.nextInt(6) == 0) {
                step();
            }
        }

        @Override
        public Fate nextCommit() {
            if (!faulty) {
                return Fate.DONE;
            }
            return switch (random.nextInt(12)) {
                case 0 -> Fate.NOT_DONE_AND_UNKNOWN;
                case 1 -> Fate.DONE_AND_UNKNOWN;
                default -> Fate.DONE;
            };
        }
    }

    void play() {
        for (var i = 0; i < 3; i++) {
            replicas.add(new Replica());
            clusters.add(newCluster(i));
        }
        for (var i = 0; i < 60; i++) {
            step();
        }
        end();
    }

    private ClusterId newCluster(int number) {
        var id = new ClusterId("c-" + run + "-" + number);
        var name = new ClusterName("n-" + run + "-" + number, "aws", "example.com");
        var cluster = Cluster.created(id, name, ClusterLabels.NONE, Optional.empty(), NOON, 1);
        var change = new Changes.ClusterChange(Optional.empty(), cluster);
        var changes = new Changes(Optional.of(change), List.of(), Optional.empty(), Optional.empty());
        assertThat(await(store.commit(changes, NOON, NOON.plus(Duration.ofDays(14)))))
                .isTrue();
        return id;
    }

    /** One random request at a replica that is not in the middle of another one. */
    private void step() {
        var free = replicas.stream().filter(replica -> !replica.busy).toList();
        if (free.isEmpty()) {
            return;
        }
        var replica = any(free);
        replica.busy = true;
        try {
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> submit(replica);
                case 3, 4, 5 -> claim(replica, newWorker());
                case 6, 7 -> heartbeat(replica);
                case 8, 9 -> finish(replica, anyFinish());
                case 10 -> cancel(replica);
                case 11 -> retry(replica);
                case 12 -> rescue(replica);
                default -> trueTime.advance(Duration.ofSeconds(random.nextInt(1, 45 * 60)));
            }
        } catch (StoreUnavailableException | WorkerBusyException e) {
            // The caller does not know what has happened, and goes on.
        } finally {
            replica.busy = false;
        }
    }

    private void submit(Replica replica) {
        var wanted =
                new NewJob(any(SUBMITTED), "{}", Optional.of(UUID.randomUUID().toString()), Optional.empty());
        var cluster = any(clusters);
        SubmitOutcome outcome;
        try {
            outcome = submit(replica, cluster, wanted);
        } catch (StoreUnavailableException e) {
            // With the same key, at any replica, and perhaps lost again.
            outcome = submit(
                    any(replicas.stream()
                            .filter(other -> !other.busy || other == replica)
                            .toList()),
                    cluster,
                    wanted);
        }
        switch (outcome) {
            case SubmitOutcome.Submitted submitted -> submitted(submitted.job());
            case SubmitOutcome.SubmittedBefore before -> submitted(before.job());
            default -> {}
        }
    }

    private SubmitOutcome submit(Replica replica, ClusterId cluster, NewJob wanted) {
        return await(replica.transactions.<SubmitOutcome>onCluster(
                        cluster,
                        found -> (rules, now) -> store.findKey(
                                        cluster, wanted.idempotencyKey().orElseThrow())
                                .chain(key -> key.map(store::findJob)
                                        .orElseGet(() -> Uni.createFrom().item(Optional.empty())))
                                .map(before -> rules.submissions().submit(found, wanted, before, now))))
                .orElseThrow();
    }

    private void submitted(Job job) {
        oracle.submitted(job);
        jobs.add(job.id());
    }

    private String newWorker() {
        return "w-" + run + "-" + workersMade++;
    }

    /** If the answer is lost, the worker asks again, or dies. */
    private void claim(Replica replica, String worker) {
        try {
            claimOnce(replica, worker);
        } catch (StoreUnavailableException e) {
            if (random.nextBoolean()) {
                claimOnce(replica, worker);
            }
        }
    }

    private Optional<Claim> claimOnce(Replica replica, String worker) {
        var asked = trueTime.instant();
        var request = new ClaimRequest(
                new WorkerName(worker), EnumSet.allOf(JobType.class), ClusterLabels.NONE, Duration.ZERO);
        var answer = await(replica.dispatcher.claim(request));
        answer.ifPresent(claim -> {
            var remaining = claim.run().remainingAt(replica.clock.instant());
            var mine = oracle.claimed(worker, claim.job(), claim.run().epoch(), asked, asked.plus(remaining));
            oracle.maybeExtended(mine, trueTime.instant().plus(remaining));
            held.add(mine);
            assertFirstInItsQueue(claim.job());
        });
        return answer;
    }

    private void assertFirstInItsQueue(Job job) {
        if (!job.isRetried()) {
            assertThat(jobs.stream()
                            .filter(other -> other.compareTo(job.id()) < 0)
                            .map(other -> await(store.findJob(other)).orElseThrow())
                            .filter(other -> other.cluster().equals(job.cluster()) && !other.isRetried())
                            .filter(other -> !other.status().isEnded())
                            .filter(other -> other.order()
                                    .createdAt()
                                    .isBefore(job.order().createdAt().minus(SKEW))))
                    .as("jobs before %s that have not ended", job.id())
                    .isEmpty();
        }
    }

    private void heartbeat(Replica replica) {
        if (held.isEmpty()) {
            return;
        }
        var mine = any(held);
        var asked = trueTime.instant();
        HeartbeatOutcome outcome;
        try {
            outcome = await(replica.transactions.<HeartbeatOutcome>onJob(
                            mine.job, (rules, seen, job, now) -> rules.runs()
                                    .heartbeat(seen, job, mine.epoch, Optional.empty(), now)))
                    .orElseThrow();
        } catch (StoreUnavailableException e) {
            oracle.maybeExtended(mine, trueTime.instant().plus(LEASE));
            return;
        }
        switch (outcome) {
            case HeartbeatOutcome.Extended extended -> {
                mine.cancelTold |= extended.job().cancellation().isPresent();
                oracle.maybeExtended(mine, trueTime.instant().plus(LEASE));
                oracle.extended(
                        mine,
                        asked.plus(extended.job().currentRun().orElseThrow().remainingAt(replica.clock.instant())));
            }
            case HeartbeatOutcome.StaleEpoch stale -> {
                // It is no longer held if its worker has reported the end at the same time.
                if (held.remove(mine)) {
                    oracle.stale(mine, asked);
                }
            }
            case HeartbeatOutcome.NoSuchJob none -> throw new AssertionError("job lost: " + mine.job);
        }
    }

    private Finish anyFinish() {
        return switch (random.nextInt(4)) {
            case 0 -> new Finish.Fail(JobError.of("THROTTLED", "later"), true);
            case 1 -> new Finish.Fail(JobError.of("QUOTA", "never"), false);
            default -> new Finish.Complete(Optional.empty());
        };
    }

    private void finish(Replica replica, Finish finish) {
        if (held.isEmpty()) {
            return;
        }
        var mine = any(held);
        held.remove(mine);
        oracle.workEnded(mine, trueTime.instant());
        try {
            finish(replica, mine, finish);
        } catch (StoreUnavailableException e) {
            finish(replica, mine, finish);
        }
    }

    private void finish(Replica replica, Reliance mine, Finish finish) {
        var asked = trueTime.instant();
        var outcome = await(replica.transactions.<FinishOutcome>onJob(
                        mine.job, (rules, seen, job, now) -> rules.runs().finish(seen, job, mine.epoch, finish, now)))
                .orElseThrow();
        switch (outcome) {
            case FinishOutcome.Finished finished ->
                oracle.finished(mine, finished.job(), finish instanceof Finish.Fail, asked);
            case FinishOutcome.FinishedBefore before -> oracle.seen(before.job());
            case FinishOutcome.StaleEpoch stale -> oracle.stale(mine, asked);
            case FinishOutcome.NoSuchJob none -> throw new AssertionError("job lost: " + mine.job);
        }
    }

    private void cancel(Replica replica) {
        if (jobs.isEmpty() || random.nextInt(3) > 0) {
            return;
        }
        var outcome = await(replica.transactions.<CancelOutcome>onJob(
                any(jobs), (rules, seen, job, now) -> rules.operator().cancel(seen, job, "not wanted", now)));
        if (outcome.orElseThrow() instanceof CancelOutcome.Cancelled cancelled) {
            oracle.seen(cancelled.job());
        }
    }

    private void retry(Replica replica) {
        if (!jobs.isEmpty()) {
            await(replica.transactions.<RetryOutcome>onJob(
                    any(jobs), (rules, seen, job, now) -> rules.operator().retry(seen, job, now)));
        }
    }

    /** The janitor finds jobs by itself, also those whose submitter got no answer. */
    private void rescue(Replica replica) {
        for (var shard = 0; shard < JobStore.SHARDS; shard++) {
            for (var id : await(store.running(shard, 1000, Optional.empty())).items()) {
                var read = await(store.findJob(id)).orElseThrow();
                oracle.seen(read);
                await(replica.transactions.<RescueOutcome>onJob(
                        id, (rules, seen, job, now) -> rules.rescues().rescue(seen, read, now)));
            }
        }
    }

    /** Without faults, and with workers that do their work, every job ends. */
    private void end() {
        faulty = false;
        var replica = replicas.getFirst();
        for (var i = 0; i < 200 && !allEnded(); i++) {
            rescue(replica);
            var claim = claimOnce(replica, newWorker());
            if (claim.isEmpty()) {
                trueTime.advance(Duration.ofMinutes(20));
            } else {
                var mine = held.removeLast();
                oracle.workEnded(mine, trueTime.instant());
                finish(replica, mine, new Finish.Complete(Optional.empty()));
            }
        }
        assertThat(oracle.submitted()).allSatisfy(id -> {
            var job = await(store.findJob(id)).orElseThrow();
            oracle.seen(job);
            assertThat(job.status().isEnded()).as("%s", job).isTrue();
        });
        assertThat(clusters).allSatisfy(id -> {
            var cluster = await(store.findCluster(id)).orElseThrow();
            assertThat(cluster.queue()).isEmpty();
            assertThat(EnumSet.allOf(JobType.class)).noneMatch(type -> type.during() == cluster.status());
        });
    }

    private boolean allEnded() {
        return clusters.stream()
                .allMatch(
                        id -> await(store.findCluster(id)).orElseThrow().queue().isEmpty());
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
