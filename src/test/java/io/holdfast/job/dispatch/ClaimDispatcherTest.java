package io.holdfast.job.dispatch;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.job.action.Claim;
import io.holdfast.job.action.Claims;
import io.holdfast.job.action.JobSignals;
import io.holdfast.job.action.JobTransactions;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.HeartbeatOutcome;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobTerms;
import io.holdfast.job.port.NewJob;
import io.holdfast.job.port.SilentJobListener;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimDispatcherTest {
    private static final Duration POLL_EVERY = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final JobTerms TERMS = new JobTerms(
            Duration.ofMinutes(60),
            Duration.ofMinutes(5),
            3,
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            30,
            Map.of(JobType.CREATE, Duration.ofHours(3)));

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final AtomicReference<Runnable> beforeCommit = new AtomicReference<>(() -> {});
    private final AtomicInteger dueReads = new AtomicInteger();
    private final AtomicInteger made = new AtomicInteger();
    private EmbeddedStore store;
    private JobTransactions transactions;
    private ClaimDispatcher dispatcher;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.ELSEWHERE, StoreTelemetry.NONE);
        var reached = watched(store.jobs());
        var signals = new JobSignals();
        transactions = new JobTransactions(
                reached, TERMS, RULES, Duration.ofDays(14), clock, SilentJobListener.INSTANCE, signals);
        dispatcher = new ClaimDispatcher(
                reached,
                new Claims(reached, transactions, SilentJobListener.INSTANCE),
                signals,
                new DispatchTerms(POLL_EVERY, 100),
                timers,
                clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Each round of a store that answers at once completes on the thread that began it. */
    @Test
    void manyThreadsThatFindNothingAreAllAnswered() throws Exception {
        assertThat(ask("first")).isEmpty();
        try (var threads = Executors.newFixedThreadPool(4)) {
            var asking = new ArrayList<Future<?>>();
            for (var i = 0; i < 4; i++) {
                var worker = "w" + i;
                asking.add(threads.submit(() -> {
                    for (var n = 0; n < 2_000; n++) {
                        assertThat(ask(worker)).isEmpty();
                    }
                }));
            }
            for (var one : asking) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
        submit(aCluster());
        assertThat(ask("w0")).isPresent();
    }

    @Test
    void theOldestWorkComesFirst() {
        var old = submit(aCluster());
        clock.advance(Duration.ofSeconds(1));
        var young = submit(aCluster());

        assertThat(ask("w1").map(claim -> claim.job().id())).contains(old.id());
        assertThat(ask("w2").map(claim -> claim.job().id())).contains(young.id());
        assertThat(ask("w3")).isEmpty();
    }

    @Test
    void clustersThatAClientHasLockedDoNotHideFreeOnes() {
        for (var i = 0; i < 60; i++) {
            var locked = aCluster();
            submit(locked);
            await(store.locks().acquire(wants(ADA, locked.lock()), NOON));
            clock.advance(Duration.ofMillis(1));
        }
        var free = submit(aCluster());

        assertThat(ask("w1").map(claim -> claim.job().id())).contains(free.id());
    }

    @Test
    void workWithOtherLabelsDoesNotHideAcceptableWork() {
        for (var i = 0; i < 100; i++) {
            submit(aCluster(new ClusterLabels(Map.of("pool", "gpu"))));
            clock.advance(Duration.ofMillis(1));
        }
        var wanted = new ClusterLabels(Map.of("pool", "cpu"));
        var job = submit(aCluster(wanted));

        var claim = await(dispatcher.claim(
                new ClaimRequest(new WorkerName("w1"), EnumSet.allOf(JobType.class), wanted, Duration.ZERO)));

        assertThat(claim.map(found -> found.job().id())).contains(job.id());
    }

    @Test
    void workOfClustersThatAWorkerMayNotUseDoesNotHideOtherWork() {
        var foreign = new HashSet<ClusterId>();
        for (var i = 0; i < 100; i++) {
            var cluster = aCluster();
            foreign.add(cluster);
            submit(cluster);
            clock.advance(Duration.ofMillis(1));
        }
        var job = submit(aCluster());

        assertThat(askFor("w1", cluster -> !foreign.contains(cluster), Duration.ZERO)
                        .join()
                        .map(found -> found.job().id()))
                .contains(job.id());
    }

    @Test
    void aWorkerThatMayNotUseTheClusterDoesNotKeepALaterOneFromItsJob() throws Exception {
        var restricted = askFor("w1", cluster -> false, LONG);
        var other = askWaiting("w2");

        var job = submit(aCluster());

        assertThat(answer(other).map(claim -> claim.job().id())).contains(job.id());
        assertThat(restricted).isNotDone();
    }

    /** Names of workers are not secret. */
    @Test
    void aWorkerWithTheNameOfAnotherIsNotToldOfAJobThatItMayNotRun() {
        submit(aCluster());
        var claim = ask("w1").orElseThrow();
        var before = await(store.jobs().findJob(claim.job().id()));

        assertThatThrownBy(() -> askFor("w1", cluster -> false, Duration.ZERO).join())
                .hasCauseInstanceOf(WorkerBusyException.class);

        assertThat(await(store.jobs().findJob(claim.job().id()))).isEqualTo(before);
    }

    private CompletableFuture<Optional<Claim>> askFor(String worker, Predicate<ClusterId> allowed, Duration wait) {
        return dispatcher
                .claim(new ClaimRequest(
                        new WorkerName(worker), EnumSet.allOf(JobType.class), ClusterLabels.NONE, wait, allowed))
                .subscribeAsCompletionStage();
    }

    @Test
    void aWaitingWorkerGetsAJobThatIsSubmittedLater() throws Exception {
        var waiting = askWaiting("w1");

        var job = submit(aCluster());

        assertThat(answer(waiting).map(claim -> claim.job().id())).contains(job.id());
    }

    @Test
    void aWaitingWorkerGetsAJobOfAnotherReplicaWithTheNextPoll() throws Exception {
        var waiting = askWaiting("w1");
        var other = new JobTransactions(
                store.jobs(), TERMS, RULES, Duration.ofDays(14), clock, SilentJobListener.INSTANCE, new JobSignals());
        var job = submit(other, aCluster());
        assertThat(waiting).isNotDone();

        timers.advance(POLL_EVERY);

        assertThat(answer(waiting).map(claim -> claim.job().id())).contains(job.id());
    }

    @Test
    void manyWaitingWorkersCostWhatOneCosts() {
        askWaiting("w");
        timers.advance(POLL_EVERY);
        var before = dueReads.get();
        timers.advance(POLL_EVERY);
        var ofOne = dueReads.get() - before;
        for (var i = 0; i < 90; i++) {
            askWaiting("w" + i);
        }

        before = dueReads.get();
        timers.advance(POLL_EVERY);

        assertThat(dueReads.get() - before).isEqualTo(ofOne).isEqualTo(4 * JobType.values().length);
    }

    @Test
    void aWorkerThatGotNoAnswerIsToldOfItsJobAgain() {
        submit(aCluster());
        var first = ask("w1").orElseThrow();

        var again = ask("w1").orElseThrow();

        assertThat(again.job().id()).isEqualTo(first.job().id());
        assertThat(again.run().epoch()).isEqualTo(first.run().epoch());
    }

    @Test
    void aWorkerThatHasSentAHeartbeatIsNotGivenItsJobOrAnotherOne() {
        submit(aCluster());
        var claim = ask("w1").orElseThrow();
        var heartbeat =
                await(transactions.<HeartbeatOutcome>onJob(claim.job().id(), (rules, seen, job, now) -> rules.runs()
                        .heartbeat(seen, job, claim.run().epoch(), Optional.empty(), now)));
        assertThat(heartbeat.orElseThrow()).isInstanceOf(HeartbeatOutcome.Extended.class);
        var free = submit(aCluster());

        assertThatThrownBy(() -> ask("w1")).isInstanceOf(WorkerBusyException.class);
        assertThat(ask("w2").map(found -> found.job().id())).contains(free.id());
    }

    @Test
    void aWorkerThatDisconnectsWhileItsClaimIsWrittenClaimsNothing() {
        var job = submit(aCluster());
        var worker = new AtomicReference<CompletableFuture<Optional<Claim>>>();
        var reached = new CompletableFuture<Void>();
        beforeCommit.set(() -> {
            beforeCommit.set(() -> {});
            reached.join();
            worker.get().cancel(false);
        });

        worker.set(askWaiting("w1"));
        reached.complete(null);

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> store.jobs()
                                .findClaims(List.of(new WorkerName("w1")))
                                .await()
                                .indefinitely()
                                .isEmpty()
                        && status(job) == JobStatus.QUEUED
                        && dispatcher.waiting() == 0);
        assertThat(ask("w2").map(claim -> claim.job().id())).contains(job.id());
    }

    @Test
    void aWaitEndsWithoutAJob() throws Exception {
        var waiting = askWaiting("w1");

        timers.advance(LONG);

        assertThat(answer(waiting)).isEmpty();
        assertThat(dispatcher.waiting()).isZero();
    }

    @Test
    void aReplicaThatStopsSendsItsWorkersAway() throws Exception {
        var waiting = askWaiting("w1");

        dispatcher.stop();

        assertThat(answer(waiting)).isEmpty();
        assertThat(answer(askWaiting("w2"))).isEmpty();
    }

    @Test
    void aSecondRequestOfAWorkerEndsItsFirst() throws Exception {
        var first = askWaiting("w1");
        var second = askWaiting("w1");

        assertThat(answer(first)).isEmpty();
        var job = submit(aCluster());
        assertThat(answer(second).map(claim -> claim.job().id())).contains(job.id());
    }

    @Test
    void tooManyWorkersAreRefused() {
        for (var i = 0; i < 100; i++) {
            askWaiting("w" + i);
        }

        assertThatThrownBy(() -> ask("one-more")).isInstanceOf(TooManyWaitingException.class);
    }

    private Optional<Claim> ask(String worker) {
        return await(dispatcher.claim(request(worker, Duration.ZERO)));
    }

    private CompletableFuture<Optional<Claim>> askWaiting(String worker) {
        return dispatcher.claim(request(worker, LONG)).subscribeAsCompletionStage();
    }

    private static ClaimRequest request(String worker, Duration wait) {
        return new ClaimRequest(new WorkerName(worker), EnumSet.allOf(JobType.class), ClusterLabels.NONE, wait);
    }

    private static Optional<Claim> answer(CompletableFuture<Optional<Claim>> waiting) throws Exception {
        return waiting.get(60, TimeUnit.SECONDS);
    }

    private JobStatus status(Job job) {
        return await(store.jobs().findJob(job.id())).orElseThrow().status();
    }

    private Job submit(ClusterId cluster) {
        return submit(transactions, cluster);
    }

    private static Job submit(JobTransactions transactions, ClusterId cluster) {
        var wanted = new NewJob(JobType.CREATE, "{}", Optional.empty(), Optional.empty());
        var outcome = await(transactions.<SubmitOutcome>onCluster(
                cluster,
                found -> (rules, now) ->
                        Uni.createFrom().item(rules.submissions().submit(found, wanted, Optional.empty(), now))));
        return ((SubmitOutcome.Submitted) outcome.orElseThrow()).job();
    }

    private ClusterId aCluster() {
        return aCluster(ClusterLabels.NONE);
    }

    private ClusterId aCluster(ClusterLabels labels) {
        var id = new ClusterId("c" + made.incrementAndGet());
        var name = new ClusterName("n" + made.get(), "aws", "example.com");
        var cluster = Cluster.created(id, name, labels, Optional.empty(), clock.instant(), 1);
        var change = new Changes.ClusterChange(Optional.empty(), cluster);
        var changes = new Changes(Optional.of(change), List.of(), Optional.empty(), Optional.empty());
        assertThat(await(store.jobs().commit(changes, NOON, NOON.plus(Duration.ofDays(14)))))
                .isTrue();
        return id;
    }

    /** The store, with a count of its searches and a hook before each commit. */
    private JobStore watched(JobStore real) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("due")) {
                        dueReads.incrementAndGet();
                    }
                    try {
                        var answer = method.invoke(real, arguments);
                        return method.getName().equals("commit")
                                ? Uni.createFrom()
                                        .voidItem()
                                        .emitOn(Infrastructure.getDefaultExecutor())
                                        .invoke(() -> beforeCommit.get().run())
                                        .chain(() -> (Uni<?>) answer)
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
