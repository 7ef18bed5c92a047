package io.holdfast.lock.history;

import io.holdfast.lock.AutoRenewals;
import io.holdfast.lock.Cleanup;
import io.holdfast.lock.HoldService;
import io.holdfast.lock.KeepListener;
import io.holdfast.lock.KeepSettings;
import io.holdfast.lock.Keepers;
import io.holdfast.lock.LeaseWatch;
import io.holdfast.lock.LockDrain;
import io.holdfast.lock.LockService;
import io.holdfast.lock.LockSets;
import io.holdfast.lock.SweepConfig;
import io.holdfast.lock.SweepListener;
import io.holdfast.lock.Sweeper;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.TestWaiters;
import io.holdfast.lock.Timers;
import io.holdfast.lock.WaitListener;
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
    final LockSets sets;
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
        var watch = new LeaseWatch(this::nanos, limits.config().maxClockSkew(), WATCHED_MAX);
        var keepers = new Keepers(store, this::time, timers);
        var cleanup = new Cleanup(this::time, timers, limits.config().cleanupsMax());
        var waiters = new TestWaiters(store, limits, this::time, timers, watch).waiters(WaitListener.NONE, cleanup);
        this.locks = new LockService(store, limits, this::time, waiters, watch, keepers);
        this.holds = new HoldService(locks, keepers, KeepSettings.MANY, KeepListener.NONE);
        this.renewals = new AutoRenewals(locks, keepers, KeepSettings.MANY, KeepListener.NONE);
        this.sets = new LockSets(locks, renewals, keepers, limits);
        this.sweeper = new Sweeper(store, new Sweeping(), this::time, SweepListener.NONE);
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
