package io.holdfast.boot;

import io.holdfast.job.dispatch.ClaimDispatcher;
import io.holdfast.job.janitor.Janitor;
import io.holdfast.kernel.RepeatedProblems;
import io.holdfast.lifecycle.feed.MoveFeed;
import io.holdfast.lifecycle.reconcile.ServiceReconciler;
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

/** Starts the periodic tasks, and stops tasks and holds at shutdown. */
@Singleton
public class Schedules {
    private static final Logger LOG = Logger.getLogger(Schedules.class);

    private final Sweeper sweeper;
    private final Reconciler reconciler;
    private final PowerDrain powerDrain;
    private final LockDrain lockDrain;
    private final ClaimDispatcher claims;
    private final Janitor janitor;
    private final ServiceReconciler services;
    private final MoveFeed moves;
    private final StoreMonitor storeMonitor;
    private final InstantSource clock;
    private final RepeatedProblems<String> problems = new RepeatedProblems<>();

    Schedules(
            Sweeper sweeper,
            Reconciler reconciler,
            PowerDrain powerDrain,
            LockDrain lockDrain,
            ClaimDispatcher claims,
            Janitor janitor,
            ServiceReconciler services,
            MoveFeed moves,
            StoreMonitor storeMonitor,
            InstantSource clock) {
        this.sweeper = sweeper;
        this.reconciler = reconciler;
        this.powerDrain = powerDrain;
        this.lockDrain = lockDrain;
        this.claims = claims;
        this.janitor = janitor;
        this.services = services;
        this.moves = moves;
        this.storeMonitor = storeMonitor;
        this.clock = clock;
    }

    /**
     * Opens the store at start, so that a wrong setting fails here and not at the first request. The scheduler starts
     * afterwards: an earlier task would wait for the store on the thread that opens it.
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
                .invoke(e -> failed("sweep", "Sweep failed, the next one continues", e))
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
                .invoke(e -> failed("reconciler", "Reconciliation failed, the next one continues", e))
                .onFailure()
                .recoverWithNull()
                .replaceWithVoid();
    }

    @Scheduled(
            identity = "janitor",
            every = "{holdfast.jobs.janitor.every}",
            delayed = "{holdfast.jobs.janitor.first-after}",
            concurrentExecution = ConcurrentExecution.SKIP)
    Uni<Void> tidyJobs() {
        return janitor.pass()
                .invoke(pass -> {
                    problems.ended("janitor", clock.instant());
                    LOG.logf(levelOf(pass), "Janitor pass ended result=%s", pass);
                })
                .onFailure()
                .invoke(e -> failed("janitor", "Janitor pass failed, the next one continues", e))
                .onFailure()
                .recoverWithNull()
                .replaceWithVoid();
    }

    /** Most passes find nothing to do. */
    private static Logger.Level levelOf(Janitor.Pass pass) {
        return switch (pass) {
            case Janitor.Pass.Done done when !done.work().isNone() -> Logger.Level.INFO;
            case Janitor.Pass.Done nothing -> Logger.Level.DEBUG;
            case Janitor.Pass.NotElected another -> Logger.Level.DEBUG;
            case Janitor.Pass.Interrupted interrupted -> Logger.Level.INFO;
        };
    }

    @Scheduled(
            identity = "services",
            every = "{holdfast.lifecycle.reconcile-every}",
            delayed = "{holdfast.lifecycle.reconcile-first-after}",
            concurrentExecution = ConcurrentExecution.SKIP)
    Uni<Void> reconcileServices() {
        return services.pass()
                .invoke(() -> problems.ended("services", clock.instant()))
                .onFailure()
                .invoke(e -> failed("services", "Reconciliation of services failed, the next one continues", e))
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

    /**
     * Logs the first failure, and repeated ones at growing intervals: tasks fail on every run while the store is down.
     */
    private void failed(String what, String message, Throwable failure) {
        problems.occurred(what, String.valueOf(failure.getMessage()), clock.instant())
                .ifPresent(report -> LOG.warnf("%s error=\"%s\"%s", message, failure.getMessage(), report.suffix()));
    }

    void drain(@Observes ShutdownDelayInitiatedEvent event) {
        LOG.info("Draining: not ready, pending requests are finished");
        sweeper.stop();
        janitor.stop();
        powerDrain.begin();
        lockDrain.begin();
        claims.stop();
        services.stop();
        moves.stop();
    }

    /** The store is still open. Releases the leases and tickets of disconnected clients; the rest expires. */
    void end(@Observes ShutdownEvent event) {
        lockDrain.end().await().indefinitely();
    }
}
