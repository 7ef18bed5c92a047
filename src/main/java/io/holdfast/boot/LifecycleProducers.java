package io.holdfast.boot;

import io.holdfast.kernel.Timers;
import io.holdfast.lifecycle.LifecycleConfig;
import io.holdfast.lifecycle.LifecycleLimits;
import io.holdfast.lifecycle.action.MoveSignal;
import io.holdfast.lifecycle.action.StatusLock;
import io.holdfast.lifecycle.action.StatusWrites;
import io.holdfast.lifecycle.feed.MoveFeed;
import io.holdfast.lifecycle.port.LifecycleListener;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceObserver;
import io.holdfast.lifecycle.reconcile.ServiceReconciler;
import io.holdfast.lock.LockService;
import io.holdfast.lock.election.Leadership;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.telemetry.log.LifecycleLog;
import io.holdfast.telemetry.metrics.LifecycleMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Creates what keeps the status of services, and checks that its limits are consistent. */
final class LifecycleProducers {
    @Produces
    @Singleton
    LifecycleLimits limits(LifecycleConfig config) {
        return new LifecycleLimits(config);
    }

    @Produces
    @Singleton
    LifecycleMetrics metrics(MeterRegistry registry) {
        return new LifecycleMetrics(registry, new LifecycleLog());
    }

    @Produces
    @Singleton
    MoveSignal signal() {
        return new MoveSignal();
    }

    @Produces
    @Singleton
    StatusLock lock(LockService locks, Timers timers, InstantSource clock, LifecycleListener listener) {
        return new StatusLock(locks, timers, clock, listener);
    }

    @Produces
    @Singleton
    StatusWrites writes(
            LifecycleStore store,
            StatusLock lock,
            LifecycleLimits limits,
            InstantSource clock,
            LifecycleListener listener,
            MoveSignal signal) {
        return new StatusWrites(
                store, lock, limits.rules(), limits.config().historyRetention(), clock, listener, signal);
    }

    @Produces
    @Singleton
    MoveFeed feed(LifecycleStore store, MoveSignal signal, LifecycleLimits limits, Timers timers) {
        return new MoveFeed(store, signal, limits.feedTerms(), timers);
    }

    @Produces
    @Singleton
    Leadership leadership(LifecycleLimits limits, LockStore locks, InstantSource clock, Cleanup cleanup) {
        return new Leadership(ServiceReconciler.TASK, limits.config().reconcilerTtl(), locks, clock, cleanup);
    }

    @Produces
    @Singleton
    ServiceReconciler reconciler(
            LifecycleStore store,
            ServiceObserver observer,
            StatusWrites writes,
            LifecycleLimits limits,
            InstantSource clock,
            LifecycleListener listener,
            Leadership leadership) {
        return new ServiceReconciler(store, observer, writes, limits.reconcileTerms(), clock, listener, leadership);
    }
}
