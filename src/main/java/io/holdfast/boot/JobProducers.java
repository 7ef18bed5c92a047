package io.holdfast.boot;

import io.holdfast.job.JobConfig;
import io.holdfast.job.JobLimits;
import io.holdfast.job.action.Claims;
import io.holdfast.job.action.JobSignals;
import io.holdfast.job.action.JobTransactions;
import io.holdfast.job.dispatch.ClaimDispatcher;
import io.holdfast.job.janitor.Janitor;
import io.holdfast.job.port.JobListener;
import io.holdfast.job.port.JobStore;
import io.holdfast.kernel.Timers;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.lock.queue.LockWaiters;
import io.holdfast.telemetry.log.JobLog;
import io.holdfast.telemetry.metrics.JobMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Optional;

/** Creates the services of jobs that depend on configuration, and checks that their limits are consistent. */
final class JobProducers {
    @Produces
    @Singleton
    JobLimits limits(JobConfig config) {
        return new JobLimits(config);
    }

    @Produces
    @Singleton
    JobMetrics metrics(MeterRegistry registry) {
        return new JobMetrics(registry, new JobLog());
    }

    @Produces
    @Singleton
    JobSignals signals(LockWaiters waiters) {
        var signals = new JobSignals();
        signals.onRelease(lock -> waiters.released(lock.name(), Optional.of(lock)));
        return signals;
    }

    @Produces
    @Singleton
    JobTransactions transactions(
            JobStore store,
            JobLimits limits,
            LockRules locks,
            InstantSource clock,
            JobListener listener,
            JobSignals signals) {
        return new JobTransactions(store, limits.terms(), locks, limits.config().retention(), clock, listener, signals);
    }

    @Produces
    @Singleton
    Claims claims(JobStore store, JobTransactions transactions, JobListener listener) {
        return new Claims(store, transactions, listener);
    }

    @Produces
    @Singleton
    ClaimDispatcher dispatcher(
            JobStore store,
            Claims claims,
            JobSignals signals,
            JobLimits limits,
            Timers timers,
            InstantSource clock,
            JobMetrics metrics) {
        var dispatcher = new ClaimDispatcher(store, claims, signals, limits.dispatchTerms(), timers, clock);
        metrics.countWaiting(dispatcher::waiting);
        return dispatcher;
    }

    @Produces
    @Singleton
    Janitor janitor(
            JobStore store,
            JobTransactions transactions,
            JobListener listener,
            JobLimits limits,
            InstantSource clock,
            LockStore locks,
            Cleanup cleanup) {
        return new Janitor(store, transactions, listener, limits.janitorTerms(), clock, locks, cleanup);
    }
}
