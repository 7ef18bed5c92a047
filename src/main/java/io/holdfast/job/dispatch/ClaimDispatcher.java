package io.holdfast.job.dispatch;

import io.holdfast.job.action.Claim;
import io.holdfast.job.action.Claims;
import io.holdfast.job.action.DueSignal;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.ClaimOutcome;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobStore.Section;
import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timers;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * Gives due work to the workers that wait at this replica, the oldest work first.
 *
 * <p>It looks for work in rounds. One round serves all workers, so the cost of waiting does not grow with their number.
 * A round begins when this replica writes a job that can be claimed, when a worker asks and the last round was not
 * recent or has left work over, and every {@code pollEvery} while workers wait.
 */
public final class ClaimDispatcher {
    private static final Logger LOG = Logger.getLogger(ClaimDispatcher.class);

    /** How long a cluster is left alone after another worker was faster. */
    private static final Duration LOST_PAUSE = Duration.ofMillis(250);

    private final JobStore store;
    private final Claims claims;
    private final DueSearch search;
    private final DispatchTerms terms;
    private final Timers timers;
    private final InstantSource clock;
    private final WaitingWorkers workers;
    private final Map<ClusterId, Instant> leftAlone = new ConcurrentHashMap<>();

    private final Set<Section> requested = new HashSet<>();
    private boolean inRound;
    private boolean pollScheduled;
    private boolean workLeft;
    private boolean stopped;
    private Instant lastRound = Instant.MIN;
    private volatile Optional<Throwable> lastFailure = Optional.empty();

    public ClaimDispatcher(
            JobStore store, Claims claims, DueSignal signal, DispatchTerms terms, Timers timers, InstantSource clock) {
        this.store = store;
        this.claims = claims;
        this.search = new DueSearch(store);
        this.terms = terms;
        this.timers = timers;
        this.clock = clock;
        this.workers = new WaitingWorkers(terms.waitingMax());
        signal.listen(this::appeared);
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
        synchronized (this) {
            stopped = true;
        }
        workers.waiting().forEach(this::endWait);
    }

    private CompletableFuture<Optional<Claim>> arrive(ClaimRequest request) {
        var worker = new WaitingWorker(request);
        synchronized (this) {
            if (stopped) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
        }
        workers.add(worker).ifPresent(ClaimDispatcher::answerNothing);
        worker.answer().whenComplete((answer, failure) -> {
            if (worker.answer().isCancelled()) {
                workers.overdue(worker);
            }
        });
        if (request.waitFor().isPositive()) {
            worker.timer = timers.after(request.waitFor(), () -> endWait(worker));
        }
        var all = sections(request.types());
        if (!request.waitFor().isPositive() || isRoundNeeded()) {
            request(all);
        }
        schedulePoll();
        return worker.answer();
    }

    private synchronized boolean isRoundNeeded() {
        return workLeft || lastRound.plus(terms.pollEvery()).isBefore(clock.instant());
    }

    private void endWait(WaitingWorker worker) {
        if (workers.overdue(worker)) {
            lastFailure.ifPresentOrElse(worker.answer()::completeExceptionally, () -> answerNothing(worker));
        }
    }

    private static void answerNothing(WaitingWorker worker) {
        worker.answer().complete(Optional.empty());
    }

    private void appeared(DueWork work) {
        if (workers.accept(work)) {
            request(List.of(new Section(work.type(), JobStore.shardOf(work.cluster()))));
        } else {
            synchronized (this) {
                workLeft = true;
            }
        }
    }

    /** Looks into these sections, at once or after the present round. */
    private void request(Collection<Section> sections) {
        synchronized (this) {
            requested.addAll(sections);
            if (inRound) {
                return;
            }
            inRound = true;
        }
        beginRound();
    }

    private void beginRound() {
        Set<Section> sections;
        synchronized (this) {
            sections = Set.copyOf(requested);
            requested.clear();
            workLeft = false;
            lastRound = clock.instant();
        }
        var present = workers.waiting();
        search.find(sections, present, clock.instant())
                .chain(this::giveOut)
                .chain(() -> tellAgain(present))
                .subscribe()
                .with(done -> endRound(present, Optional.empty()), e -> endRound(present, Optional.of(e)));
    }

    private void endRound(List<WaitingWorker> present, Optional<Throwable> failure) {
        lastFailure = failure;
        failure.ifPresent(e -> LOG.debugf("Work not found error=\"%s\"", e.getMessage()));
        present.stream()
                .filter(worker -> !worker.request().waitFor().isPositive())
                .forEach(this::endWait);
        boolean more;
        synchronized (this) {
            if (failure.isEmpty() && search.hasMore() && !workers.isEmpty()) {
                requested.addAll(search.unfinished());
            }
            more = !requested.isEmpty() && !workers.waiting().isEmpty();
            inRound = more;
        }
        if (more) {
            beginRound();
        } else {
            schedulePoll();
        }
    }

    private void schedulePoll() {
        synchronized (this) {
            if (pollScheduled || workers.isEmpty()) {
                return;
            }
            pollScheduled = true;
        }
        timers.after(terms.pollEvery(), this::poll);
    }

    private void poll() {
        synchronized (this) {
            pollScheduled = false;
        }
        var types = workers.types();
        if (!types.isEmpty()) {
            request(sections(types));
        }
        schedulePoll();
    }

    /** Assigns each piece of work to the first worker that accepts it, and claims all of them at the same time. */
    private Uni<Void> giveOut(List<DueWork> found) {
        var now = clock.instant();
        leftAlone.values().removeIf(until -> !until.isAfter(now));
        var attempts = found.stream()
                .filter(work -> !leftAlone.containsKey(work.cluster()))
                .flatMap(work -> assign(work).stream())
                .toList();
        return attempts.isEmpty()
                ? Uni.createFrom().voidItem()
                : Uni.join().all(attempts).andCollectFailures().replaceWithVoid();
    }

    private Optional<Uni<Void>> assign(DueWork work) {
        var worker = workers.take(work);
        if (worker.isEmpty()) {
            synchronized (this) {
                workLeft = true;
            }
        }
        return worker.map(taken -> claim(taken, work));
    }

    private Uni<Void> claim(WaitingWorker worker, DueWork work) {
        return claims.claim(work, worker.request().worker())
                .chain(outcome -> handle(worker, work.cluster(), outcome))
                .onFailure()
                .recoverWithItem(e -> fail(worker, e));
    }

    private Void fail(WaitingWorker worker, Throwable failure) {
        workers.end(worker);
        worker.answer().completeExceptionally(failure);
        return null;
    }

    private Uni<Void> handle(WaitingWorker worker, ClusterId cluster, ClaimOutcome outcome) {
        switch (outcome) {
            case ClaimOutcome.Claimed claimed -> {
                return answer(worker, new Claim(claimed.job(), claimed.cluster(), Optional.of(claimed.before())));
            }
            case ClaimOutcome.ClaimedBefore before -> {
                return answer(worker, new Claim(before.job(), before.cluster(), Optional.empty()));
            }
            case ClaimOutcome.Ended ended -> {}
            case ClaimOutcome.Locked locked -> leaveAlone(cluster, terms.pollEvery());
            case ClaimOutcome.NotClaimable lost -> leaveAlone(cluster, Durations.min(LOST_PAUSE, terms.pollEvery()));
        }
        giveBack(worker);
        return Uni.createFrom().voidItem();
    }

    private void giveBack(WaitingWorker worker) {
        if (workers.giveBack(worker)) {
            answerNothing(worker);
        }
    }

    private void leaveAlone(ClusterId cluster, Duration pause) {
        leftAlone.put(cluster, clock.instant().plus(pause));
        timers.after(pause, () -> request(sections(workers.types())));
    }

    /** A worker that has disconnected cannot be told of its claim, so the claim is undone. */
    private Uni<Void> answer(WaitingWorker worker, Claim claim) {
        workers.end(worker);
        if (worker.answer().complete(Optional.of(claim))) {
            return Uni.createFrom().voidItem();
        }
        return claims.undo(claim)
                .onFailure()
                .invoke(e -> LOG.warnf(
                        "Claim not undone, its lease expires job=%s cluster=%s epoch=%d error=\"%s\"",
                        claim.job().id(), claim.cluster().id(), claim.run().epoch(), e.getMessage()))
                .onFailure()
                .recoverWithItem(false)
                .replaceWithVoid();
    }

    /** A worker that got no answer to an earlier request may run a job without knowing it. */
    private Uni<Void> tellAgain(List<WaitingWorker> present) {
        var unchecked = present.stream()
                .filter(worker -> worker.state == WaitingWorker.State.WAITING && !worker.checked)
                .toList();
        if (unchecked.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        var names = unchecked.stream().map(worker -> worker.request().worker()).toList();
        return store.findClaims(names).chain(running -> {
            unchecked.forEach(workers::checked);
            var told = unchecked.stream()
                    .filter(worker -> running.containsKey(worker.request().worker()))
                    .filter(workers::take)
                    .map(worker -> tellAgain(worker, running))
                    .toList();
            return told.isEmpty()
                    ? Uni.createFrom().voidItem()
                    : Uni.join().all(told).andCollectFailures().replaceWithVoid();
        });
    }

    private Uni<Void> tellAgain(WaitingWorker worker, Map<WorkerName, JobId> running) {
        var name = worker.request().worker();
        return claims.claimAgain(running.get(name), name)
                .chain(outcome -> {
                    if (outcome instanceof ClaimOutcome.ClaimedBefore before) {
                        return answer(worker, new Claim(before.job(), before.cluster(), Optional.empty()));
                    }
                    giveBack(worker);
                    return Uni.createFrom().voidItem();
                })
                .onFailure()
                .recoverWithItem(e -> fail(worker, e));
    }

    private static List<Section> sections(Collection<JobType> types) {
        return types.stream()
                .flatMap(type -> IntStream.range(0, JobStore.SHARDS).mapToObj(shard -> new Section(type, shard)))
                .toList();
    }
}
