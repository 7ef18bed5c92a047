package io.holdfast.boot;

import io.holdfast.kernel.RepeatedProblems;
import io.holdfast.lock.hold.LockDrain;
import io.holdfast.lock.sweep.Sweeper;
import io.holdfast.power.PowerDrain;
import io.holdfast.power.reconcile.Reconciler;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.quarkus.scheduler.Scheduler;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import org.jboss.logging.Logger;

/** What runs without being asked, and what ends when the service is told to go. */
@Singleton
public class Schedules {
    private static final Logger LOG = Logger.getLogger(Schedules.class);

    private final Sweeper sweeper;
    private final Reconciler reconciler;
    private final PowerDrain powerDrain;
    private final LockDrain lockDrain;
    private final StoreMonitor storeMonitor;
    private final InstantSource clock;
    private final RepeatedProblems<String> problems = new RepeatedProblems<>();

    Schedules(
            Sweeper sweeper,
            Reconciler reconciler,
            PowerDrain powerDrain,
            LockDrain lockDrain,
            StoreMonitor storeMonitor,
            InstantSource clock) {
        this.sweeper = sweeper;
        this.reconciler = reconciler;
        this.powerDrain = powerDrain;
        this.lockDrain = lockDrain;
        this.storeMonitor = storeMonitor;
        this.clock = clock;
    }

    /**
     * Makes the store open, and a wrong setting fail, at start and not at the first request. Only then may anything run by
     * itself: a timer that comes while the store is still opening would wait for it on the very thread it opens with.
     */
    void start(@Observes StartupEvent event, Stores stores, Scheduler scheduler) {
        LOG.debugf("Started with %s", stores);
        scheduler.resume();
    }

    @Scheduled(
            identity = "sweeper",
            every = "{holdfast.sweep.every}",
            delayed = "{holdfast.sweep.first-after}",
            concurrentExecution = ConcurrentExecution.SKIP)
    Uni<Void> sweep() {
        return sweeper.sweep()
                .invoke(sweep -> {
                    problems.ended("sweep", clock.instant());
                    LOG.infof("Sweep ended result=%s", sweep);
                })
                .onFailure()
                .invoke(e -> failed("sweep", "Sweep failed, the next one goes on", e))
                .onFailure()
                .recoverWithNull()
                .replaceWithVoid();
    }

    @Scheduled(
            identity = "reconciler",
            every = "{holdfast.power.reconcile-every}",
            delayed = "{holdfast.power.reconcile-first-after}",
            concurrentExecution = ConcurrentExecution.SKIP)
    Uni<Void> reconcile() {
        return reconciler
                .reconcileAll()
                .invoke(() -> problems.ended("reconciler", clock.instant()))
                .onFailure()
                .invoke(e -> failed("reconciler", "Reconciliation failed, the next one goes on", e))
                .onFailure()
                .recoverWithNull()
                .replaceWithVoid();
    }

    @Scheduled(
            identity = "store-check",
            every = "{holdfast.store-check-every}",
            concurrentExecution = ConcurrentExecution.SKIP)
    Uni<Void> checkStore() {
        return storeMonitor.problems().replaceWithVoid();
    }

    /** The first time, and then at a growing distance: it is tried again and again while the store is away. */
    private void failed(String what, String message, Throwable failure) {
        problems.occurred(what, String.valueOf(failure.getMessage()), clock.instant())
                .ifPresent(report -> LOG.warnf("%s error=\"%s\"%s", message, failure.getMessage(), report.suffix()));
    }

    void drain(@Observes ShutdownDelayInitiatedEvent event) {
        LOG.info("Draining: not ready any more, requests under way are finished");
        sweeper.stop();
        powerDrain.begin();
        lockDrain.begin();
    }

    /** The store is still there: what callers left behind is taken back now, or expires. */
    void end(@Observes ShutdownEvent event) {
        lockDrain.end().await().indefinitely();
    }
}
