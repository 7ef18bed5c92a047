package io.holdfast.lifecycle.reconcile;

import io.holdfast.kernel.RepeatedProblems;
import io.holdfast.lifecycle.action.StatusWrites;
import io.holdfast.lifecycle.port.LifecycleListener;
import io.holdfast.lifecycle.port.LifecycleListener.Counts;
import io.holdfast.lifecycle.port.LifecycleListener.NoCount;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceObserver;
import io.holdfast.lock.election.Leadership;
import io.smallrye.mutiny.Uni;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Compares the status of every service with what really runs, and repairs differences. One replica does it, elected by a
 * Holdfast lock. Each repair is conditional on the version that was observed, so a second reconciler would do no harm.
 */
public final class ServiceReconciler {
    public static final String TASK = "lifecycle";

    private final LifecycleStore store;
    private final ServiceObserver observer;
    private final StatusWrites writes;
    private final ReconcileTerms terms;
    private final InstantSource clock;
    private final LifecycleListener listener;
    private final Leadership leadership;
    private final ReconcilePass.Conditions conditions = new DuringAPass();
    private final RepeatedProblems<String> problems = new RepeatedProblems<>();

    public ServiceReconciler(
            LifecycleStore store,
            ServiceObserver observer,
            StatusWrites writes,
            ReconcileTerms terms,
            InstantSource clock,
            LifecycleListener listener,
            Leadership leadership) {
        this.store = store;
        this.observer = observer;
        this.writes = writes;
        this.terms = terms;
        this.clock = clock;
        this.listener = listener;
        this.leadership = leadership;
    }

    /** The result of one pass. */
    public sealed interface Pass {
        /** @param failed services that could not be read or written; the next pass repeats them */
        record Done(Counts counts, int failed) implements Pass {}

        /** Another replica does it. */
        record NotElected() implements Pass {}

        /** An operator has paused the reconciler. */
        record Paused(String reason) implements Pass {}

        /** The lock was lost, the clock is suspect, the reconciler was paused, or the service shuts down. */
        record Interrupted() implements Pass {}
    }

    /** Looks at every service once, unless another replica does or the reconciler is paused. */
    public Uni<Pass> pass() {
        return leadership
                .lead()
                .chain(elected -> elected
                        ? store.pause().chain(reason -> reason.<Uni<Pass>>map(
                                        text -> Uni.createFrom().item(new Pass.Paused(text)))
                                .orElseGet(this::run))
                        : Uni.createFrom().<Pass>item(new Pass.NotElected()))
                .invoke(pass -> {
                    switch (pass) {
                        case Pass.Done done -> listener.passed(done.counts());
                        case Pass.NotElected another -> listener.notCounted(NoCount.NOT_ELECTED);
                        case Pass.Paused paused -> listener.notCounted(NoCount.PAUSED);
                        case Pass.Interrupted interrupted -> listener.notCounted(NoCount.INTERRUPTED);
                    }
                })
                .onFailure()
                .invoke(() -> listener.notCounted(NoCount.FAILED));
    }

    private Uni<Pass> run() {
        return Uni.createFrom()
                .deferred(() ->
                        new ReconcilePass(store, observer, writes, terms, clock, listener, problems, conditions).run());
    }

    private final class DuringAPass implements ReconcilePass.Conditions {
        @Override
        public Uni<Boolean> mayContinue() {
            return isElected()
                    .chain(elected -> elected
                            ? store.pause().map(Optional::isEmpty)
                            : Uni.createFrom().item(false))
                    .onFailure()
                    .recoverWithItem(false);
        }

        @Override
        public Uni<Boolean> isElected() {
            return store.trustsClock()
                    ? leadership.mayContinue().onFailure().recoverWithItem(false)
                    : Uni.createFrom().item(false);
        }
    }

    /** Lets the current step finish, and starts no other. */
    public void stop() {
        leadership.resign();
    }
}
