package io.holdfast.lifecycle.reconcile;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.RepeatedProblems;
import io.holdfast.lifecycle.action.StatusWrites;
import io.holdfast.lifecycle.model.ExpectedStatus;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.port.LifecycleListener;
import io.holdfast.lifecycle.port.LifecycleListener.Counts;
import io.holdfast.lifecycle.port.LifecycleListener.NoRepair;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceObserver;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.holdfast.lifecycle.reconcile.ServiceReconciler.Pass;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/**
 * One pass over all services, one page after the other, so that memory does not grow with their number. Services of one
 * page are observed in parallel. A service that fails is logged and left to the next pass.
 */
final class ReconcilePass {
    private static final Logger LOG = Logger.getLogger(ServiceReconciler.class);

    private final LifecycleStore store;
    private final ServiceObserver observer;
    private final StatusWrites writes;
    private final ReconcileTerms terms;
    private final InstantSource clock;
    private final LifecycleListener listener;
    private final RepeatedProblems<String> problems;
    private final Conditions conditions;
    private final Tally tally = new Tally();

    /** Asked during a pass. False if it is not known. */
    interface Conditions {
        /** Asked before each page. */
        Uni<Boolean> mayContinue();

        /** Asked before each repair. */
        Uni<Boolean> isElected();
    }

    ReconcilePass(
            LifecycleStore store,
            ServiceObserver observer,
            StatusWrites writes,
            ReconcileTerms terms,
            InstantSource clock,
            LifecycleListener listener,
            RepeatedProblems<String> problems,
            Conditions conditions) {
        this.store = store;
        this.observer = observer;
        this.writes = writes;
        this.terms = terms;
        this.clock = clock;
        this.listener = listener;
        this.problems = problems;
        this.conditions = conditions;
    }

    Uni<Pass> run() {
        return Multi.createFrom()
                .range(0, LifecycleStore.SHARDS)
                .onItem()
                .transformToUniAndConcatenate(shard -> shard(shard))
                .filter(complete -> !complete)
                .toUni()
                .map(interrupted ->
                        interrupted == null ? new Pass.Done(tally.counts(), tally.failed()) : new Pass.Interrupted());
    }

    /** Page after page; false if the pass must not continue. */
    private Uni<Boolean> shard(int shard) {
        return Multi.createBy()
                .repeating()
                .<AtomicReference<Optional<Cursor>>, Step>uni(
                        () -> new AtomicReference<>(Optional.empty()), position -> conditions
                                .mayContinue()
                                .chain(more -> more
                                        ? page(shard, position.get())
                                        : Uni.createFrom().item(new Step(false, Optional.empty())))
                                .invoke(step -> position.set(step.next())))
                .whilst(step -> step.next().isPresent())
                .collect()
                .last()
                .map(Step::mayContinue);
    }

    private record Step(boolean mayContinue, Optional<Cursor> next) {}

    private Uni<Step> page(int shard, Optional<Cursor> after) {
        return store.shard(shard, terms.stepSize(), after)
                .chain(page -> reconcile(page).replaceWith(new Step(true, page.next())));
    }

    private Uni<Void> reconcile(Page<Service> page) {
        return Multi.createFrom()
                .iterable(page.items())
                .onItem()
                .transformToUni(this::reconcileSafely)
                .merge(terms.parallelMax())
                .onItem()
                .ignoreAsUni();
    }

    private Uni<Void> reconcileSafely(Service service) {
        var key = service.id().value();
        return Uni.createFrom()
                .deferred(() -> reconcile(service))
                .invoke(() -> problems.ended(key, clock.instant()))
                .onFailure()
                .invoke(failure -> {
                    tally.failed(service);
                    tally.overdue(service.isOverdueAt(clock.instant()));
                    problems.occurred(key, String.valueOf(failure.getMessage()), clock.instant())
                            .ifPresent(report -> LOG.warnf(
                                    "Reconciliation failed, the next one continues service=%s error=\"%s\"%s",
                                    key, failure.getMessage(), report.suffix()));
                })
                .onFailure()
                .recoverWithNull();
    }

    /** A deployment that may still report its result is not observed. */
    private Uni<Void> reconcile(Service service) {
        var started = clock.instant();
        if (service.status() == ServiceStatus.DEPLOYING && !service.isOverdueAt(started)) {
            tally.seen(service.status());
            return Uni.createFrom().voidItem();
        }
        return observer.observe(service, started).chain(seen -> ExpectedStatus.of(service, seen, clock.instant())
                .map(expected -> repairIfCurrent(service, new StatusWrite.Repair(expected, seen), started))
                .orElseGet(() -> consistent(service, seen)));
    }

    private Uni<Void> consistent(Service service, Observation seen) {
        tally.seen(service.status());
        if (seen.state() == Observation.State.UNKNOWN) {
            tally.unknown();
            tally.overdue(service.isOverdueAt(clock.instant()));
        }
        return Uni.createFrom().voidItem();
    }

    /** After a pause of the process, what was seen may be long past, and another replica may be the leader. */
    private Uni<Void> repairIfCurrent(Service service, StatusWrite.Repair repair, Instant observed) {
        var age = Duration.between(observed, clock.instant());
        if (age.compareTo(terms.observationAgeMax()) >= 0) {
            return skip(service, repair.seen(), NoRepair.OBSERVED_TOO_LONG_AGO);
        }
        return conditions
                .isElected()
                .chain(elected ->
                        elected ? repair(service, repair) : skip(service, repair.seen(), NoRepair.NOT_ELECTED));
    }

    private Uni<Void> skip(Service service, Observation seen, NoRepair reason) {
        tally.overdue(service.isOverdueAt(clock.instant()));
        notRepaired(service, seen, reason);
        return Uni.createFrom().voidItem();
    }

    private Uni<Void> repair(Service service, StatusWrite.Repair repair) {
        var seen = repair.seen();
        return writes.write(service, repair, terms.lock())
                .invoke(outcome -> {
                    switch (outcome) {
                        case WriteOutcome.Written written -> tally.repaired(repair.status());
                        case WriteOutcome.NotLocked held -> notLocked(service, seen, held);
                        case WriteOutcome.VersionConflict newer -> notRepaired(service, seen, NoRepair.STATUS_CHANGED);
                        case WriteOutcome.NoSuchService gone -> notRepaired(service, seen, NoRepair.REMOVED);
                        default -> notRepaired(service, seen, NoRepair.ILLEGAL);
                    }
                })
                .replaceWithVoid();
    }

    private void notLocked(Service service, Observation seen, WriteOutcome.NotLocked outcome) {
        tally.overdue(service.isOverdueAt(clock.instant()));
        notRepaired(service, seen, outcome.lock().isPresent() ? NoRepair.LOCK_HELD : NoRepair.LOCK_LOST);
    }

    private void notRepaired(Service service, Observation seen, NoRepair reason) {
        tally.seen(service.status());
        listener.notRepaired(service.id(), seen, reason);
    }

    /** The counts of the pass. Services of one page are counted on several threads. */
    private static final class Tally {
        private final Map<ServiceStatus, Integer> byStatus = new EnumMap<>(ServiceStatus.class);
        private int overdue;
        private int unknown;
        private int repaired;
        private int failed;

        synchronized void seen(ServiceStatus status) {
            byStatus.merge(status, 1, Integer::sum);
        }

        synchronized void unknown() {
            unknown++;
        }

        synchronized void overdue(boolean isOverdue) {
            overdue += isOverdue ? 1 : 0;
        }

        synchronized void repaired(ServiceStatus to) {
            seen(to);
            repaired++;
        }

        synchronized void failed(Service service) {
            seen(service.status());
            failed++;
        }

        synchronized int failed() {
            return failed;
        }

        synchronized Counts counts() {
            return new Counts(Map.copyOf(byStatus), overdue, unknown, repaired);
        }
    }
}
