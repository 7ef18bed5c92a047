package io.holdfast.job.dispatch;

import io.holdfast.job.action.Claim;
import io.holdfast.job.action.Claims;
import io.holdfast.job.action.JobSignals;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.JobId;
import io.holdfast.job.port.ClaimOutcome;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobStore.Section;
import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timers;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Gives due work to the workers that wait at this replica, the oldest work first.
 *
 * <p>It looks for work in rounds, see {@link Rounds}. One round serves all workers, so the cost of waiting does not grow
 * with their number. Work for which a claim has failed is left alone for a moment, so that the worker gets other work.
 */
public final class ClaimDispatcher {
    private static final Logger LOG = Logger.getLogger(ClaimDispatcher.class);

    /** How long a cluster is left alone after another worker was faster. */
    private static final Duration LOST_PAUSE = Duration.ofMillis(250);

    /** Claims that are carried out at the same time. */
    private static final int CLAIMS_MAX = 64;

    private final JobStore store;
    private final Claims claims;
    private final DueSearch search;
    private final DispatchTerms terms;
    private final Timers timers;
    private final InstantSource clock;
    private final WaitingWorkers workers;
    private final Rounds rounds;
    private final Map<ClusterId, Instant> leftAlone = new ConcurrentHashMap<>();
    private volatile boolean stopped;
    private volatile Optional<Throwable> lastFailure = Optional.empty();

    public ClaimDispatcher(
            JobStore store,
            Claims claims,
            JobSignals signals,
            DispatchTerms terms,
            Timers timers,
            InstantSource clock) {
        this.store = store;
        this.claims = claims;
        this.search = new DueSearch(store);
        this.terms = terms;
        this.timers = timers;
        this.clock = clock;
        this.workers = new WaitingWorkers(terms.waitingMax());
        this.rounds = new Rounds(terms.pollEvery(), timers, clock, workers::sections, this::round);
        signals.onDue(this::appeared);
    }

    private void appeared(DueWork work) {
        leftAlone.remove(work.cluster());
        rounds.appeared(sectionOf(work), workers.accept(work));
    }

    /** Claims a job for a worker. Empty if there was nothing to do until its wait was over. */
    public Uni<Optional<Claim>> claim(ClaimRequest request) {
        return Uni.createFrom().completionStage(() -> arrive(request));
    }

    public int waiting() {
        return workers.size();
    }

    /** Answers all waiting workers that there is nothing to do, so that they ask another replica. */
    public void stop() {
        stopped = true;
        workers.all().forEach(this::endWait);
    }

    private CompletableFuture<Optional<Claim>> arrive(ClaimRequest request) {
        var worker = new WaitingWorker(request);
        workers.add(worker).ifPresent(ClaimDispatcher::answerNothing);
        worker.answer().whenComplete((answer, failure) -> {
            if (worker.answer().isCancelled()) {
                workers.overdue(worker);
            }
        });
        if (stopped) {
            endWait(worker);
        } else if (request.waits()) {
            worker.timer = timers.after(request.waitFor(), () -> endWait(worker));
            rounds.requestIfNeeded(request.sections());
        } else {
            rounds.request(request.sections());
        }
        return worker.answer();
    }

    private void endWait(WaitingWorker worker) {
        if (workers.overdue(worker)) {
            lastFailure.ifPresentOrElse(worker.answer()::completeExceptionally, () -> answerNothing(worker));
        }
    }

    private static void answerNothing(WaitingWorker worker) {
        worker.answer().complete(Optional.empty());
    }

    private static Section sectionOf(DueWork work) {
        return new Section(work.type(), JobStore.shardOf(work.cluster()));
    }

    private Uni<Void> round(Rounds.Round round) {
        var present = workers.waiting();
        var now = clock.instant();
        leftAlone.values().removeIf(until -> !until.isAfter(now));
        return search.find(round.sections(), present.size(), work -> isFree(work) && workers.accept(work), now)
                .invoke(found -> lastFailure = found.failure())
                .chain(found -> giveOut(found.work()))
                .chain(() -> tellAgain(present))
                .onFailure()
                .invoke(e -> lastFailure = Optional.of(e))
                .onFailure()
                .recoverWithNull()
                .invoke(() -> present.stream()
                        .filter(worker -> !worker.request().waits()
                                && round.sections().containsAll(worker.request().sections())
                                && !rounds.isRequested(worker.request().sections()))
                        .forEach(this::endWait));
    }

    private boolean isFree(DueWork work) {
        return !leftAlone.containsKey(work.cluster());
    }

    /** Assigns each piece of work to the first worker that accepts it, and claims all of them at the same time. */
    private Uni<Void> giveOut(List<DueWork> found) {
        var assigned = new ArrayList<Uni<Void>>();
        for (var work : found) {
            workers.take(work)
                    .ifPresentOrElse(worker -> assigned.add(claim(worker, work)), () -> rounds.left(sectionOf(work)));
        }
        return Multi.createFrom()
                .iterable(assigned)
                .onItem()
                .transformToUni(Function.identity())
                .merge(CLAIMS_MAX)
                .onItem()
                .ignoreAsUni();
    }

    private Uni<Void> claim(WaitingWorker worker, DueWork work) {
        return claims.claim(work, worker.request().worker(), worker.request().allowed())
                .invoke(outcome -> handle(worker, work, outcome))
                .replaceWithVoid()
                .onFailure()
                .recoverWithItem(e -> fail(worker, e));
    }

    private void handle(WaitingWorker worker, DueWork work, ClaimOutcome outcome) {
        switch (outcome) {
            case ClaimOutcome.Claimed claimed ->
                answer(worker, new Claim(claimed.job(), claimed.cluster(), Optional.of(claimed.before())));
            case ClaimOutcome.ClaimedBefore before ->
                answer(worker, new Claim(before.job(), before.cluster(), Optional.empty()));
            case ClaimOutcome.WorkerBusy busy ->
                fail(worker, new WorkerBusyException(worker.request().worker(), busy.job()));
            case ClaimOutcome.Ended ended -> giveBack(worker);
            case ClaimOutcome.Locked locked -> {
                leaveAlone(work, terms.pollEvery());
                giveBack(worker);
            }
            case ClaimOutcome.NotClaimable lost -> {
                leaveAlone(work, Durations.min(LOST_PAUSE, terms.pollEvery()));
                giveBack(worker);
            }
        }
    }

    private void leaveAlone(DueWork work, Duration pause) {
        leftAlone.put(work.cluster(), clock.instant().plus(pause));
        rounds.left(sectionOf(work));
    }

    /** The worker waits again. Another round looks for other work. */
    private void giveBack(WaitingWorker worker) {
        rounds.request(worker.request().sections());
        if (workers.giveBack(worker)) {
            answerNothing(worker);
        }
    }

    private Void fail(WaitingWorker worker, Throwable failure) {
        workers.end(worker);
        worker.answer().completeExceptionally(failure);
        return null;
    }

    /** A worker that has disconnected cannot be told of its claim, so the claim is undone. */
    private void answer(WaitingWorker worker, Claim claim) {
        workers.end(worker);
        if (!worker.answer().complete(Optional.of(claim))) {
            claims.undo(claim)
                    .subscribe()
                    .with(
                            undone -> {},
                            e -> LOG.warnf(
                                    "Claim not undone, its lease expires job=%s cluster=%s epoch=%d error=\"%s\"",
                                    claim.job().id(),
                                    claim.cluster().id(),
                                    claim.run().epoch(),
                                    e.getMessage()));
        }
    }

    /** A worker that got no answer to an earlier request may run a job without knowing it. */
    private Uni<Void> tellAgain(List<WaitingWorker> present) {
        var unchecked = workers.unchecked(present);
        if (unchecked.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        var names = unchecked.stream().map(worker -> worker.request().worker()).toList();
        return store.findClaims(names).chain(running -> {
            workers.checked(unchecked);
            return Multi.createFrom()
                    .iterable(unchecked)
                    .filter(worker -> running.containsKey(worker.request().worker()))
                    .filter(workers::take)
                    .onItem()
                    .transformToUni(worker ->
                            tellAgain(worker, running.get(worker.request().worker())))
                    .merge(CLAIMS_MAX)
                    .onItem()
                    .ignoreAsUni();
        });
    }

    private Uni<Void> tellAgain(WaitingWorker worker, JobId job) {
        return claims.claimAgain(
                        job, worker.request().worker(), worker.request().allowed())
                .invoke(outcome -> {
                    switch (outcome) {
                        case ClaimOutcome.ClaimedBefore before ->
                            answer(worker, new Claim(before.job(), before.cluster(), Optional.empty()));
                        case ClaimOutcome.WorkerBusy busy ->
                            fail(
                                    worker,
                                    new WorkerBusyException(worker.request().worker(), job));
                        default -> giveBack(worker);
                    }
                })
                .replaceWithVoid()
                .onFailure()
                .recoverWithItem(e -> fail(worker, e));
    }
}
