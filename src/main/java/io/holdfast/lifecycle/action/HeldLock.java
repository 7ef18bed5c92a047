package io.holdfast.lifecycle.action;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timers;
import io.holdfast.lock.LockService;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.port.RenewOutcome;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The lock of a service while a writer holds it. Extends the lease when little of it is left. The lock keeps writers
 * apart; it is the version of the service that refuses a writer that slept past its lease.
 */
public final class HeldLock {
    private final StatusLockTerms terms;
    private final LockService locks;
    private final Timers timers;
    private final InstantSource clock;
    private final Runnable onExtended;

    // Guarded by this.
    private Lease lease;
    private boolean ended;
    private Timers.Timer timer = Timers.Timer.NONE;

    HeldLock(
            Lease lease,
            StatusLockTerms terms,
            LockService locks,
            Timers timers,
            InstantSource clock,
            Runnable onExtended) {
        this.lease = lease;
        this.terms = terms;
        this.locks = locks;
        this.timers = timers;
        this.clock = clock;
        this.onExtended = onExtended;
    }

    /** Whether the lease lasts, with room for clocks that run differently. */
    public synchronized boolean isValid() {
        return !ended && lease.remainingAt(clock.instant()).compareTo(terms.drift()) > 0;
    }

    synchronized void keepExtended() {
        if (!ended) {
            var left = lease.remainingAt(clock.instant()).minus(terms.extendBelow());
            timer = timers.after(Durations.max(left, Duration.ZERO), this::extend);
        }
    }

    /** If the store does not answer, the lease may expire. Then the write is skipped, or refused by its version. */
    private void extend() {
        locks.renew(claim(), Optional.of(terms.ttl())).subscribe().with(at -> extended(at.answer()), failure -> {});
    }

    private void extended(RenewOutcome outcome) {
        switch (outcome) {
            case RenewOutcome.Renewed renewed -> {
                synchronized (this) {
                    lease = renewed.lease();
                }
                onExtended.run();
                keepExtended();
            }
            case RenewOutcome.Superseded superseded -> end();
            case RenewOutcome.NotHeld notHeld -> end();
        }
    }

    private synchronized void end() {
        ended = true;
        timer.cancel();
    }

    private synchronized LeaseClaim claim() {
        return LeaseClaim.of(lease.ref()).withToken(Optional.of(lease.token()));
    }

    /** Never fails: a lease that cannot be released expires. */
    Uni<Void> release() {
        end();
        return locks.releaseQuietly(claim(), clock.instant().plus(terms.ttl()));
    }
}
