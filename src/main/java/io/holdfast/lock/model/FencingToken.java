package io.holdfast.lock.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.port.LockRules;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/**
 * A number that rises with every change of hands of one lock, and never restarts.
 *
 * <p>A guarded resource that remembers the highest token it has seen, and refuses lower ones, is safe from a holder
 * that was paused past its lease.
 */
public record FencingToken(long value) implements Comparable<FencingToken> {
    /** Readable after "must be". */
    public static final String ALLOWED = "a whole number from 1 to " + Long.MAX_VALUE;

    public FencingToken {
        if (value < 1) {
            throw new InvalidInputException("fencing_token", ALLOWED);
        }
    }

    /**
     * The first token of a lock without a record. It lies above every token that an earlier record of the same name can
     * have reached, because a record is purged only when the time has passed its token: see
     * {@link LockRules#purgeableAt}.
     */
    public static FencingToken firstAt(Instant now) {
        return new FencingToken(epochMicros(now) + 1);
    }

    public static long epochMicros(Instant now) {
        return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(now.getNano());
    }

    /** When the clock's own tokens have passed this one: from then on a record may be born again above it. */
    public Instant passedAt() {
        return Instant.EPOCH.plus(value, ChronoUnit.MICROS);
    }

    public FencingToken next() {
        return new FencingToken(value + 1);
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
