package io.holdfast.boot;

import io.holdfast.lock.port.LockRules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The time that the service goes by, in milliseconds: the machine's clock, as far as it can be trusted. Safe for concurrent
 * use.
 *
 * <p>A store with a time of its own corrects it. With no such store, a clock that is set back a little stands still until
 * the time has come again: otherwise requests would look as if they had been held up on their way while later ones were
 * served ({@link LockRules#LATE_MAX}). A clock that is set back further is followed at once.
 */
final class ServiceClock implements InstantSource {
    private final InstantSource machine;
    private final AtomicLong latest = new AtomicLong(Long.MIN_VALUE);
    private volatile InstantSource source = this::standingStill;

    ServiceClock(InstantSource machine) {
        this.machine = machine;
    }

    /** As the machine shows it. */
    InstantSource machine() {
        return machine;
    }

    /** @param correction what to add to the machine's clock at the moment */
    void correctBy(Supplier<Duration> correction) {
        source = () ->
                Instant.ofEpochMilli(machine.instant().plus(correction.get()).toEpochMilli());
    }

    @Override
    public Instant instant() {
        return source.instant();
    }

    private Instant standingStill() {
        var now = machine.instant().toEpochMilli();
        return Instant.ofEpochMilli(latest.accumulateAndGet(now, ServiceClock::notALittleBack));
    }

    private static long notALittleBack(long before, long now) {
        return before > now && before - now <= LockRules.LATE_MAX.toMillis() ? before : now;
    }
}
