package io.holdfast.job.action;

import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.creating;
import static io.holdfast.job.port.JobFixtures.wanted;
import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobType;
import io.holdfast.job.port.ClaimOutcome;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.FinishOutcome;
import io.holdfast.job.port.JobTerms;
import io.holdfast.job.port.RescueOutcome;
import io.holdfast.job.port.SilentJobListener;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockLimits;
import io.holdfast.lock.LockService;
import io.holdfast.lock.LockSettings;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.lock.queue.LeaseObserver;
import io.holdfast.lock.queue.TestWaiters;
import io.holdfast.lock.queue.WaitListener;
import io.holdfast.lock.queue.WaitSettings;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client waits for the lock of a cluster while a job holds it. No timer goes off here, so the client never polls. */
class ClusterLockWaitersTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration RESCUE_AFTER = Duration.ofSeconds(5);
    /** Longer than it takes until the janitor ends a run. */
    private static final Duration WAIT = Duration.ofMinutes(5);

    private static final JobTerms TERMS = new JobTerms(
            LEASE,
            RESCUE_AFTER,
            3,
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            30,
            Map.of(JobType.CREATE, Duration.ofHours(3)));

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final AtomicInteger waiting = new AtomicInteger();
    private EmbeddedStore store;
    private LockService locks;
    private JobTransactions transactions;
    private Claims claims;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.ELSEWHERE, StoreTelemetry.NONE);
        var limits = new LockLimits(new LockSettings(), WaitSettings.DEFAULT);
        var observer =
                new LeaseObserver(() -> Duration.between(NOON, clock.instant()).toNanos(), SKEW, 100);
        var wiring = new TestWaiters(store.locks(), limits, clock, timers, observer);
        var waiters = wiring.waiters(new Joined(), new Cleanup(clock, timers, 100));
        locks = wiring.service(waiters);
        var signals = new JobSignals();
        signals.onRelease(lock -> waiters.released(lock.name(), Optional.of(lock)));
        transactions =
                new JobTransactions(store.jobs(), TERMS, RULES, KEPT, clock, SilentJobListener.INSTANCE, signals);
        claims = new Claims(store.jobs(), transactions, SilentJobListener.INSTANCE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aWaiterGetsTheLockWhenTheWorkerFinishes() {
        var claim = claimed();
        var waiter = waits(claim.job());

        var finished = await(transactions.onJob(claim.job().id(), (rules, seen, job, now) -> rules.runs()
                .finish(seen, job, claim.run().epoch(), DONE, now)));

        assertThat(finished).containsInstanceOf(FinishOutcome.Finished.class);
        assertGranted(waiter);
    }

    @Test
    void aWaiterGetsTheLockWhenAClaimIsUndone() {
        var claim = claimed();
        var waiter = waits(claim.job());

        assertThat(await(claims.undo(claim))).isTrue();

        assertGranted(waiter);
    }

    @Test
    void aWaiterGetsTheLockWhenTheJanitorEndsTheRun() {
        var claim = claimed();
        var waiter = waits(claim.job());
        clock.advance(LEASE.plus(RESCUE_AFTER).plus(SKEW).plusMillis(1));

        var rescued = await(transactions.onJob(
                claim.job(), (rules, seen, job, now) -> rules.rescues().rescue(seen, claim.job(), now)));

        assertThat(rescued).containsInstanceOf(RescueOutcome.Rescued.class);
        assertGranted(waiter);
    }

    private Claim claimed() {
        var cluster = aCluster();
        await(store.jobs().commit(creating(cluster), NOON, NOON));
        var submitted = await(transactions.<SubmitOutcome>onCluster(
                cluster.id(),
                found -> (rules, now) -> Uni.createFrom()
                        .item(rules.submissions().submit(found, wanted(JobType.CREATE), Optional.empty(), now))));
        var job = ((SubmitOutcome.Submitted) submitted.orElseThrow()).job();
        var work = new DueWork(cluster.id(), job.id(), job.type(), job.dueAt(), cluster.labels());
        var claimed = (ClaimOutcome.Claimed) await(claims.claim(work, WORKER, any -> true));
        return new Claim(claimed.job(), claimed.cluster(), Optional.of(claimed.before()));
    }

    /** A client waits in the queue of the lock. */
    private CompletableFuture<AcquireOutcome> waits(Job job) {
        var name = job.cluster().lock();
        var command = new AcquireCommand(name, ADA, Optional.empty(), terms(), Labels.NONE);
        var answer = locks.acquire(command).map(at -> at.answer()).subscribeAsCompletionStage();
        await().until(() -> waiting.get() == 1 && waitingFor(name) == 1);
        assertThat(answer).isNotDone();
        return answer;
    }

    private static LeaseTerms terms() {
        return new LeaseTerms(Optional.empty(), Optional.of(WAIT), Optional.empty());
    }

    private int waitingFor(LockName name) {
        return await(store.locks().find(name)).orElseThrow().queue().tickets().size();
    }

    private static void assertGranted(CompletableFuture<AcquireOutcome> waiter) {
        await().until(waiter::isDone);
        assertThat(waiter.join()).isInstanceOf(AcquireOutcome.Granted.class);
    }

    private final class Joined implements WaitListener {
        @Override
        public void joined() {
            waiting.incrementAndGet();
        }

        @Override
        public void left(End end, Duration waited) {}

        @Override
        public void handedOver(Duration took) {}

        @Override
        public void refused() {}
    }
}
