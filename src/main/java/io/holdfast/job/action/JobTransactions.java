package io.holdfast.job.action;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.Decision;
import io.holdfast.job.port.JobListener;
import io.holdfast.job.port.JobRules;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobTerms;
import io.holdfast.job.port.Snapshot;
import io.holdfast.kernel.Pause;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.Unis;
import io.holdfast.lock.port.LockRules;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * Reads what a step needs, lets the {@link JobRules} decide, and writes the changes. If a record has changed between
 * the read and the write, nothing was written, and the step is repeated.
 */
public final class JobTransactions {
    /** Steps on one cluster that collide are repeated this often. */
    private static final int TRIES_MAX = 12;

    /** The upper bound of the random pause before the first repetition. Doubles with each further one. */
    private static final long PAUSE_MILLIS = 5;

    private static final long PAUSE_MILLIS_MAX = 200;

    private final JobStore store;
    private final JobTerms terms;
    private final LockRules locks;
    private final Duration retention;
    private final InstantSource clock;
    private final JobListener listener;
    private final JobSignals signals;

    /** @param retention how long ended jobs, destroyed clusters and keys are kept */
    public JobTransactions(
            JobStore store,
            JobTerms terms,
            LockRules locks,
            Duration retention,
            InstantSource clock,
            JobListener listener,
            JobSignals signals) {
        this.store = store;
        this.terms = terms;
        this.locks = locks;
        this.retention = retention;
        this.clock = clock;
        this.listener = listener;
        this.signals = signals;
    }

    /** A read and the decision on it. */
    @FunctionalInterface
    public interface Step<O> {
        Uni<Decision<O>> decide(JobRules rules, Instant now);
    }

    /** Carries out a step. Completes with the outcome after the changes are durable. */
    public <O> Uni<O> run(Step<O> step) {
        return tryStep(step, 1);
    }

    /**
     * Carries out a step once. If a record has changed in between, continues with {@code otherwise} and does not repeat
     * the step.
     */
    public <O> Uni<O> runOnce(Step<O> step, Uni<O> otherwise) {
        return attempt(step)
                .chain(written ->
                        written.map(outcome -> Uni.createFrom().item(outcome)).orElse(otherwise));
    }

    /** A step on one job, with its cluster and its lock. */
    public <O> Uni<Optional<O>> onJob(JobId id, JobStep<O> step) {
        return run((rules, now) ->
                Unis.chainIfPresent(store.findJob(id), this::snapshot).map(seen -> decide(id, seen, step, rules, now)));
    }

    /** As {@link #onJob(JobId, JobStep)}, for a caller that has read the job. The step gets it as it is now. */
    public <O> Uni<Optional<O>> onJob(Job read, JobStep<O> step) {
        return run((rules, now) -> snapshot(read).map(seen -> decide(read.id(), seen, step, rules, now)));
    }

    private Uni<Optional<Snapshot>> snapshot(Job job) {
        return store.snapshot(job.cluster(), List.of(job.id()));
    }

    private static <O> Decision<Optional<O>> decide(
            JobId id, Optional<Snapshot> seen, JobStep<O> step, JobRules rules, Instant now) {
        return seen.flatMap(found -> found.job(id).map(job -> present(step.decide(rules, found, job, now))))
                .orElseGet(JobTransactions::absent);
    }

    /** A decision on one job. */
    @FunctionalInterface
    public interface JobStep<O> {
        Decision<O> decide(JobRules rules, Snapshot seen, Job job, Instant now);
    }

    /** A step on one cluster. */
    public <O> Uni<Optional<O>> onCluster(ClusterId id, Function<Cluster, Step<O>> step) {
        return run((rules, now) -> store.findCluster(id)
                .chain(found -> found.isEmpty()
                        ? Uni.createFrom().item(JobTransactions.<O>absent())
                        : step.apply(found.get()).decide(rules, now).map(JobTransactions::present)));
    }

    private static <O> Decision<Optional<O>> absent() {
        return new Decision<>(Optional.empty(), Optional.empty(), List.of());
    }

    private static <O> Decision<Optional<O>> present(Decision<O> decision) {
        return new Decision<>(Optional.of(decision.outcome()), decision.changes(), decision.endings());
    }

    private <O> Uni<O> tryStep(Step<O> step, int number) {
        return attempt(step).chain(written -> {
            if (written.isPresent()) {
                return Uni.createFrom().item(written.get());
            }
            if (number == TRIES_MAX) {
                return Uni.createFrom()
                        .failure(new StoreUnavailableException(
                                "The cluster changed " + TRIES_MAX + " times while its job was written. Try again."));
            }
            return pause(number).chain(() -> tryStep(step, number + 1));
        });
    }

    /** Empty if a record has changed in between. */
    private <O> Uni<Optional<O>> attempt(Step<O> step) {
        return Uni.createFrom().deferred(() -> {
            var now = clock.instant();
            return step.decide(rules(), now).chain(decision -> write(decision, now));
        });
    }

    private <O> Uni<Optional<O>> write(Decision<O> decision, Instant now) {
        if (decision.changes().isEmpty()) {
            return Uni.createFrom().item(Optional.of(decision.outcome()));
        }
        return withEndings(decision, now)
                .chain(changes -> store.commit(changes, now, now.plus(retention))
                        .invoke(written -> {
                            if (written) {
                                reportEndings(decision, changes);
                                signals.written(changes, now);
                            }
                        }))
                .map(written -> written ? Optional.of(decision.outcome()) : Optional.empty());
    }

    private Uni<Changes> withEndings(Decision<?> decision, Instant now) {
        var changes = decision.changes().orElseThrow();
        if (decision.endings().isEmpty()) {
            return Uni.createFrom().item(changes);
        }
        var ids = decision.endings().stream().map(Decision.Ending::job).toList();
        return store.findJobs(ids).map(jobs -> {
            var all = new ArrayList<>(changes.jobs());
            for (var ending : decision.endings()) {
                jobs.stream()
                        .filter(job -> job.id().equals(ending.job()))
                        .forEach(job -> all.add(new Changes.JobChange(Optional.of(job), ending.applyTo(job, now))));
            }
            return new Changes(changes.cluster(), all, changes.lock(), changes.worker());
        });
    }

    private void reportEndings(Decision<?> decision, Changes changes) {
        if (decision.endings().isEmpty()) {
            return;
        }
        var ended = decision.endings().stream().map(Decision.Ending::job).toList();
        changes.jobs().stream()
                .map(Changes.JobChange::after)
                .filter(job -> ended.contains(job.id()))
                .forEach(listener::ended);
    }

    private JobRules rules() {
        return new JobRules(terms, store.trustsClock() ? locks : locks.withoutTakeovers());
    }

    /** Of random length, so that steps that have collided do not collide again. */
    private static Uni<Void> pause(int number) {
        var bound = Math.min(PAUSE_MILLIS_MAX, PAUSE_MILLIS << (number - 1));
        return Pause.of(Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound) + 1));
    }
}
