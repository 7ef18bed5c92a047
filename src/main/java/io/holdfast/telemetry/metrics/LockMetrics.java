package io.holdfast.telemetry.metrics;

import io.holdfast.lock.hold.KeepAliveListener;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.queue.WaitListener;
import io.holdfast.store.StoreTelemetry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The meters of locks and their store. Tags have few values; the name of a lock is never a tag. */
@Singleton
public class LockMetrics implements StoreTelemetry, WaitListener, KeepAliveListener {
    /** Why an acquire returned no lease. */
    public enum Failure {
        HELD,
        CLOSED,
        RESERVED_FOR_QUEUE,
        QUEUE_FULL,
        GAVE_UP,
        STORE_UNAVAILABLE
    }

    /** The tag of locks that were not held by a job. All series of one meter need the same tags. */
    private static final String NO_JOB = "none";

    private static final double[] COMMON_PERCENTILES = {0.5, 0.99};

    private final MeterRegistry registry;
    private final Timer acquireDuration;
    private final DistributionSummary acquireRetries;
    private final Map<String, Calls> storeCalls = new ConcurrentHashMap<>();
    private final Counter takeovers;
    private final Counter cleaned;
    private final Map<Failure, Counter> failures = new EnumMap<>(Failure.class);
    private final Map<LockType, Timer> held = new EnumMap<>(LockType.class);
    private final AtomicLong clockOffsetMillis = new AtomicLong();
    private final Map<End, Timer> waits = new EnumMap<>(End.class);
    private final Counter abandoned;
    private final Timer handOver;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Map<LeaseLoss.Cause, Counter> holdsLost = new EnumMap<>(LeaseLoss.Cause.class);
    private final AtomicInteger holds = new AtomicInteger();
    private final AtomicInteger autoRenewals = new AtomicInteger();

    public LockMetrics(MeterRegistry registry) {
        this.registry = registry;
        acquireDuration = Timer.builder("lock.acquire.duration")
                .description("Time from a request for a lock to its answer, granted or refused")
                .publishPercentiles(COMMON_PERCENTILES)
                .register(registry);
        acquireRetries = DistributionSummary.builder("lock.acquire.retries")
                .description(
                        "Retries per acquire: of calls to the store, and of requests for a database lock that was held")
                .register(registry);
        takeovers = Counter.builder("lock.takeovers")
                .description("Locks taken over after the lease of their holder had expired")
                .register(registry);
        cleaned = cleaned(registry);
        for (var reason : Failure.values()) {
            failures.put(reason, failures(registry, reason.name().toLowerCase(Locale.ROOT)));
        }
        for (var type : LockType.values()) {
            held.put(type, held(registry, type, NO_JOB));
        }
        for (var end : End.values()) {
            waits.put(
                    end,
                    Timer.builder("lock.wait.duration")
                            .description("Time that requests waited in a queue, by how the wait ended")
                            .tag("end", end.name().toLowerCase(Locale.ROOT))
                            .publishPercentiles(COMMON_PERCENTILES)
                            .register(registry));
        }
        abandoned = Counter.builder("lock.waits.abandoned")
                .description("Requests whose client disconnected while they waited in a queue")
                .register(registry);
        handOver = Timer.builder("lock.handover.duration")
                .description("Time from a release to the grant to the next waiter, if it waits at this replica")
                .publishPercentiles(COMMON_PERCENTILES)
                .register(registry);
        Gauge.builder("lock.waiting", waiting, AtomicInteger::get)
                .description("Requests that wait at this replica, for all locks together")
                .register(registry);
        for (var cause : LeaseLoss.Cause.values()) {
            holdsLost.put(
                    cause,
                    Counter.builder("lock.holds.lost")
                            .description("Holds that ended before their client closed the connection")
                            .tag("cause", cause.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        Gauge.builder("lock.holds", holds, AtomicInteger::get)
                .description("Connections at this replica that hold a lock or wait for one")
                .register(registry);
        Gauge.builder("lock.auto.renewals", autoRenewals, AtomicInteger::get)
                .description("Leases that this replica renews for holders that send heartbeats")
                .register(registry);
        Gauge.builder("clock.offset.seconds", clockOffsetMillis, offset -> offset.get() / 1000.0)
                .description("How far the clock of the store is ahead of this machine's, as far as it is proven")
                .register(registry);
    }

    static Counter cleaned(MeterRegistry registry) {
        return Counter.builder("stale.locks.cleaned")
                .description(
                        "Records of ended leases that the sweeper removed, and expired leases that the janitor ended")
                .register(registry);
    }

    static Counter failures(MeterRegistry registry, String reason) {
        return Counter.builder("lock.acquisition.failures")
                .description("Acquires and claims that returned no lease")
                .tag("reason", reason)
                .register(registry);
    }

    static Timer held(MeterRegistry registry, LockType type, String jobType) {
        return Timer.builder("lock.held.duration")
                .description("How long a lock was held, recorded when it is released or taken over")
                .tag("lock_type", type.text())
                .tag("job_type", jobType)
                .register(registry);
    }

    @Override
    public void called(String operation, int retries, Duration took, boolean answered) {
        storeCalls.computeIfAbsent(operation, this::callsOf).of(answered).record(took);
        if (operation.equals("acquire")) {
            acquireRetries.record(retries);
        }
    }

    /** Both timers are registered together, so the series of failed calls starts at zero. */
    private record Calls(Timer answered, Timer unanswered) {
        Timer of(boolean wasAnswered) {
            return wasAnswered ? answered : unanswered;
        }
    }

    private Calls callsOf(String operation) {
        return new Calls(calls(operation, true), calls(operation, false));
    }

    private Timer calls(String operation, boolean answered) {
        return Timer.builder("store.call.duration")
                .description("Time of a call to the back end of the store, retries included")
                .tag("operation", operation)
                .tag("answered", Boolean.toString(answered))
                .register(registry);
    }

    @Override
    public void clockOffset(Duration offset) {
        clockOffsetMillis.set(offset.toMillis());
    }

    @Override
    public void joined() {
        waiting.incrementAndGet();
    }

    @Override
    public void left(End end, Duration waited) {
        waiting.decrementAndGet();
        waits.get(end).record(waited.isNegative() ? Duration.ZERO : waited);
        switch (end) {
            case ABANDONED -> abandoned.increment();
            case GAVE_UP -> failed(Failure.GAVE_UP);
            case FAILED, GRANTED -> {}
        }
    }

    @Override
    public void handedOver(Duration took) {
        handOver.record(took.isNegative() ? Duration.ZERO : took);
    }

    @Override
    public void holds(int open) {
        holds.set(open);
    }

    @Override
    public void holdLost(LeaseLoss.Cause cause) {
        holdsLost.get(cause).increment();
    }

    @Override
    public void autoRenewals(int leases) {
        autoRenewals.set(leases);
    }

    @Override
    public void refused() {
        failed(Failure.QUEUE_FULL);
    }

    void acquireAnswered(Duration took) {
        acquireDuration.record(took);
    }

    void failed(Failure reason) {
        failures.get(reason).increment();
    }

    void tookOver() {
        takeovers.increment();
    }

    void held(LockType type, Duration duration) {
        held.get(type).record(duration.isNegative() ? Duration.ZERO : duration);
    }

    void cleaned(int records) {
        cleaned.increment(records);
    }
}
