package io.holdfast.lock.history;

import io.holdfast.kernel.Timers;
import io.holdfast.lock.LockService;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.hold.AutoRenewals;
import io.holdfast.lock.hold.HoldService;
import io.holdfast.lock.hold.KeepAliveListener;
import io.holdfast.lock.hold.KeepAliveSettings;
import io.holdfast.lock.hold.LockDrain;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.lock.queue.LeaseObserver;
import io.holdfast.lock.queue.TestWaiters;
import io.holdfast.lock.queue.WaitListener;
import io.holdfast.lock.set.LockSetService;
import io.holdfast.lock.sweep.SweepConfig;
import io.holdfast.lock.sweep.SweepListener;
import io.holdfast.lock.sweep.Sweeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;

/** One process of the service: the production classes on a clock, timers and a way to the store of its own. */
final class Replica {
    /** Half of the skew that is allowed between two replicas. */
    static final Duration OFFSET_MAX =
            TestLimits.DEFAULT.config().maxClockSkew().dividedBy(2);

    private static final int WATCHED_MAX = 100;

    private final String name;
    private final Simulation simulation;
    private final Queue<Runnable> heldUp = new ArrayDeque<>();
    private final List<Runnable> mourners = new ArrayList<>();
    private Duration offset;
    private Duration suspended = Duration.ZERO;
    private Instant frozenSince;
    private boolean dead;

    final LockService locks;
    final HoldService holds;
    final AutoRenewals renewals;
    final LockSetService sets;
    final Sweeper sweeper;
    private final LockDrain drain;
    private final Supplier<Duration> correction;

    /** The one place where the services of a replica are put together. */
    Replica(String name, Simulation simulation, Backend backend, Duration offset) {
        this.name = name;
        this.simulation = simulation;
        this.offset = offset;
        var connection = backend.connect(this);
        var store = connection.locks();
        this.correction = connection.correction();
        var limits = TestLimits.DEFAULT;
        Timers timers = this::after;
        var observer = new LeaseObserver(this::nanos, limits.config().maxClockSkew(), WATCHED_MAX);
        var renewers = new LeaseRenewers(store, this::time, timers);
        var cleanup = new Cleanup(this::time, timers, limits.config().cleanupsMax());
        var waiters = new TestWaiters(store, limits, this::time, timers, observer).waiters(WaitListener.NONE, cleanup);
        this.locks = new LockService(store, limits, this::time, waiters, observer, renewers);
        this.holds = new HoldService(locks, renewers, KeepAliveSettings.MANY, KeepAliveListener.NONE);
        this.renewals = new AutoRenewals(locks, renewers, KeepAliveSettings.MANY, KeepAliveListener.NONE);
        this.sets = new LockSetService(locks, renewals, renewers, limits);
        this.sweeper = new Sweeper(store, new Sweeping(), this::time, SweepListener.NONE, cleanup);
        this.drain = new LockDrain(waiters, holds, cleanup, limits);
    }

    /** The clock on the wall: the true time and an offset. */
    Instant clock() {
        return simulation.now().plus(offset);
    }

    /** What the services of the replica go by: the clock on the wall, corrected by what the store knows of it. */
    private Instant time() {
        return Instant.ofEpochMilli(clock().plus(correction.get()).toEpochMilli());
    }

    /** A clock that nobody sets. It stands still while the machine is suspended. */
    long nanos() {
        var elapsed = Duration.between(Simulation.START, simulation.now());
        return elapsed.minus(suspended).toNanos();
    }

    /** What the true time was when the services went by this one, if nobody has set the clock since. */
    Instant trueTimeOf(Instant shown) {
        return shown.plus(Duration.between(time(), simulation.now()));
    }

    boolean clockIsWild() {
        return offset.abs().compareTo(OFFSET_MAX) > 0;
    }

    boolean clockIsBehind() {
        return offset.plus(OFFSET_MAX).isNegative();
    }

    void setClock(Duration newOffset) {
        simulation.note("%s: clock set from %s to %s off the true time", name, offset, newOffset);
        offset = newOffset;
    }

    Timers.Timer after(Duration delay, Runnable task) {
        return simulation.after(delay, () -> perform(task))::cancel;
    }

    /** Lets the replica do something: at once, when it resumes, or never if it is dead. */
    void perform(Runnable task) {
        if (dead) {
            return;
        }
        if (isFrozen()) {
            heldUp.add(task);
        } else {
            SimulatedScheduler.run(this::after, task);
        }
    }

    boolean isFrozen() {
        return frozenSince != null;
    }

    boolean isDead() {
        return dead;
    }

    void freeze() {
        simulation.note("%s: freezes", name);
        frozenSince = simulation.now();
    }

    /** @param machine whether the whole machine was suspended, and its monotonic clock with it */
    void resume(boolean machine) {
        if (!isFrozen() || dead) {
            return;
        }
        simulation.note("%s: resumes%s", name, machine ? ", its machine was suspended" : "");
        if (machine) {
            suspended = suspended.plus(Duration.between(frozenSince, simulation.now()));
        }
        frozenSince = null;
        while (!heldUp.isEmpty() && !isFrozen()) {
            perform(heldUp.remove());
        }
    }

    void die() {
        simulation.note("%s: dies", name);
        dead = true;
        mourners.forEach(Runnable::run);
        mourners.clear();
    }

    /** Tells connected clients that this replica goes away, as it does on SIGTERM. */
    void drain() {
        simulation.note("%s: drains", name);
        perform(drain::begin);
    }

    /** @param mourner told when the replica dies */
    void onDeath(Runnable mourner) {
        mourners.add(mourner);
    }

    @Override
    public String toString() {
        return name;
    }

    /** The sweeper's settings: one step for everything. */
    private record Sweeping(
            String every, String firstAfter, int stepSize, Duration stepPause, Duration staleAfter, Duration lockTtl)
            implements SweepConfig {
        Sweeping() {
            this("off", "1m", 500, Duration.ofMillis(250), Duration.ofMinutes(5), Duration.ofSeconds(60));
        }
    }
}
