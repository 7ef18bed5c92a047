package io.holdfast.job.janitor;

import io.holdfast.job.action.JobTransactions;
import io.holdfast.job.janitor.Janitor.Pass;
import io.holdfast.job.janitor.Janitor.Work;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.port.Decision;
import io.holdfast.job.port.JobListener;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.RescueOutcome;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.RepeatedProblems;
import io.holdfast.lock.election.Election;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * One pass of the janitor, one small step after the other. A step that fails is logged and left to the next pass, so
 * that one broken record does not keep the janitor from the others.
 */
final class JanitorPass {
    private static final Logger LOG = Logger.getLogger(Janitor.class);

    /** The next pass purges the rest, so that a long purge does not delay the rescue of jobs. */
    private static final int PURGES_MAX = 100;

    private final JobStore store;
    private final JobTransactions transactions;
    private final JobListener listener;
    private final InstantSource clock;
    private final RepeatedProblems<String> problems;
    private final int stepSize;
    private final Election.Term term;

    private final Map<JobType, Instant> runningSince = new EnumMap<>(JobType.class);
    private int shardsSeen;
    private boolean isCounted;
    private int rescued;
    private int submitted;
    private int failed;

    JanitorPass(
            JobStore store,
            JobTransactions transactions,
            JobListener listener,
            InstantSource clock,
            RepeatedProblems<String> problems,
            int stepSize,
            Election.Term term) {
        this.store = store;
        this.transactions = transactions;
        this.listener = listener;
        this.clock = clock;
        this.problems = problems;
        this.stepSize = stepSize;
        this.term = term;
    }

    Uni<Pass> run() {
        var parts = Multi.createFrom()
                .<Supplier<Uni<Boolean>>>items(
                        this::rescueJobs,
                        this::expireClusters,
                        () -> step("part=count", this::count),
                        () -> step("part=purge", () -> purge(PURGES_MAX)));
        return untilInterrupted(parts, Supplier::get)
                .<Pass>map(complete -> complete ? new Pass.Done(work()) : new Pass.Interrupted(work()))
                .invoke(() -> {
                    if (!isCounted) {
                        listener.notCounted();
                    }
                });
    }

    private Work work() {
        return new Work(rescued, submitted, failed);
    }

    private Uni<Boolean> rescueJobs() {
        return forEachShard("rescue", shard -> forEach(
                        after -> store.running(shard, stepSize, after),
                        id -> step("job=" + id, () -> rescue(id).replaceWith(true)))
                .invoke(complete -> shardsSeen += complete ? 1 : 0));
    }

    private Uni<Void> rescue(JobId id) {
        return store.findJob(id).chain(found -> found.filter(job -> job.status() == JobStatus.RUNNING)
                .map(this::rescue)
                .orElseGet(() -> Uni.createFrom().voidItem()));
    }

    /** @param read the decision is refused if a heartbeat has changed the job since it was read */
    private Uni<Void> rescue(Job read) {
        return transactions
                .onJob(read, (rules, seen, job, now) -> rules.rescues().rescue(seen, read, now))
                .invoke(outcome -> {
                    if (outcome.orElse(null) instanceof RescueOutcome.Rescued ended) {
                        rescued++;
                        listener.rescued(ended.job(), ended.job().lastRun().orElseThrow());
                    } else {
                        runningSince.merge(read.type(), startOf(read), JanitorPass::earlier);
                    }
                })
                .replaceWithVoid();
    }

    private static Instant startOf(Job running) {
        return running.currentRun().orElseThrow().startedAt();
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private Uni<Boolean> expireClusters() {
        return forEachShard(
                "expiry",
                shard -> forEach(
                        after -> store.expired(shard, stepSize, after, clock.instant()),
                        id -> step("cluster=" + id, () -> expire(id).replaceWith(true))));
    }

    private Uni<Void> expire(ClusterId id) {
        return transactions
                .onCluster(
                        id,
                        cluster -> (rules, now) -> mayBecomeActive(cluster)
                                .map(may -> may ? rules.submissions().expire(cluster, now) : JanitorPass.notExpired()))
                .invoke(outcome -> outcome.flatMap(Function.identity()).ifPresent(job -> {
                    submitted++;
                    listener.submitted(job);
                }))
                .replaceWithVoid();
    }

    /**
     * A destroy makes a failed cluster active again, for which its name must be free. Until then the janitor submits
     * nothing: each job would end at once, and the next pass would submit another one.
     */
    private Uni<Boolean> mayBecomeActive(Cluster cluster) {
        return cluster.status() == ClusterStatus.FAILED
                ? store.findName(cluster.name()).map(Optional::isEmpty)
                : Uni.createFrom().item(true);
    }

    private static Decision<Optional<Job>> notExpired() {
        return new Decision<>(Optional.empty(), Optional.empty(), List.of());
    }

    /** Counts only if each running job was seen: otherwise the age of the oldest run is not known. */
    private Uni<Boolean> count() {
        if (shardsSeen < JobStore.SHARDS) {
            return Uni.createFrom().item(true);
        }
        var now = clock.instant();
        return store.count(now)
                .invoke(counts -> {
                    isCounted = true;
                    listener.counted(counts.withRunningSince(runningSince), now);
                })
                .replaceWith(true);
    }

    private Uni<Boolean> purge(int timesMax) {
        return store.purge(stepSize, clock.instant())
                .chain(done -> done || timesMax == 1
                        ? Uni.createFrom().item(true)
                        : mayContinue()
                                .chain(more -> more
                                        ? purge(timesMax - 1)
                                        : Uni.createFrom().item(false)));
    }

    private Uni<Boolean> forEachShard(String part, IntFunction<Uni<Boolean>> action) {
        return untilInterrupted(
                Multi.createFrom().range(0, JobStore.SHARDS),
                shard -> step("part=" + part + " shard=" + shard, () -> action.apply(shard)));
    }

    /** Goes through all pages of a list. */
    private static <T> Uni<Boolean> forEach(
            Function<Optional<Cursor>, Uni<Page<T>>> list, Function<T, Uni<Boolean>> step) {
        var pages = Multi.createBy()
                .repeating()
                .<AtomicReference<Optional<Cursor>>, Page<T>>uni(
                        () -> new AtomicReference<>(Optional.empty()),
                        position -> list.apply(position.get()).invoke(page -> position.set(page.next())))
                .whilst(page -> page.next().isPresent());
        return untilInterrupted(pages.onItem().<T>transformToIterable(Page::items), step);
    }

    /** Does the steps in their order. False if one of them says that the pass must not continue. */
    private static <T> Uni<Boolean> untilInterrupted(Multi<T> items, Function<T, Uni<Boolean>> step) {
        return items.onItem()
                .transformToUniAndConcatenate(step::apply)
                .filter(more -> !more)
                .toUni()
                .map(Objects::isNull);
    }

    /** Does a step, if the pass may continue. After a failure the pass continues. */
    private Uni<Boolean> step(String what, Supplier<Uni<Boolean>> action) {
        return mayContinue()
                .chain(more -> more
                        ? Uni.createFrom()
                                .deferred(() -> action.get())
                                .invoke(() -> problems.ended(what, clock.instant()))
                                .onFailure()
                                .recoverWithItem(e -> failed(what, e))
                        : Uni.createFrom().item(false));
    }

    private boolean failed(String what, Throwable failure) {
        failed++;
        problems.occurred(what, String.valueOf(failure.getMessage()), clock.instant())
                .ifPresent(report -> LOG.warnf(
                        "Step of the janitor failed, the next pass repeats it %s error=\"%s\"%s",
                        what, failure.getMessage(), report.suffix()));
        return true;
    }

    /** If it is not known whether this replica is still elected, the pass ends. */
    private Uni<Boolean> mayContinue() {
        return store.trustsClock()
                ? term.mayContinue().onFailure().recoverWithItem(false)
                : Uni.createFrom().item(false);
    }
}
