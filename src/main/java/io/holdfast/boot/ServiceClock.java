package io.holdfast.boot;

import io.holdfast.lock.port.LockRules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The time of the service, in milliseconds. Safe for concurrent use.
 *
 * <p>With DynamoDB, the store corrects the clock of the machine. With the embedded store, a clock that is set back by
 * up to {@link LockRules#LATE_MAX} stops until it has reached the latest time again. Otherwise new requests would look
 * like delayed ones. A clock that is set back further is used at once.
 */
final class ServiceClock implements InstantSource {
    private final InstantSource machine;
    private final AtomicLong latest = new AtomicLong(Long.MIN_VALUE);
    private volatile InstantSource source = this::neverSlightlyBack;

    ServiceClock(InstantSource machine) {
        this.machine = machine;
    }

    /** The uncorrected clock of the machine. */
    InstantSource machine() {
        return machine;
    }

    /** @param correction what to add to the clock of the machine now */
    void correctBy(Supplier<Duration> correction) {
        source = () ->
                Instant.ofEpochMilli(machine.instant().plus(correction.get()).toEpochMilli());
    }

    @Override
    public Instant instant() {
        return source.instant();
    }

    private Instant neverSlightlyBack() {
        var now = machine.instant().toEpochMilli();
        return Instant.ofEpochMilli(latest.accumulateAndGet(now, ServiceClock::laterUnlessFarBack));
    }

    private static long laterUnlessFarBack(long before, long now) {
        return before > now && before - now <= LockRules.LATE_MAX.toMillis() ? before : now;
    }
}
