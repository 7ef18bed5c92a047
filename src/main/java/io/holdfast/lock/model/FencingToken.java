package io.holdfast.lock.model;

import io.holdfast.kernel.InvalidInputException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/**
 * A number that rises with every grant of one lock, and never falls.
 *
 * <p>A protected resource stores the highest token that it has seen and rejects lower ones. This protects it from a
 * holder that was paused until after its lease had expired.
 */
public record FencingToken(long value) implements Comparable<FencingToken> {
    /** Completes a sentence after "must be". */
    public static final String ALLOWED = "a whole number from 1 to " + Long.MAX_VALUE;

    public FencingToken {
        if (value < 1) {
            throw new InvalidInputException("fencing_token", ALLOWED);
        }
    }

    /**
     * The first token of a lock without a record. It is higher than all tokens of an earlier record with the same name,
     * because a record is purged only after the time of its token: see {@code LockRules.purgeableAt}.
     */
    public static FencingToken firstAt(Instant now) {
        return new FencingToken(epochMicros(now) + 1);
    }

    public static long epochMicros(Instant now) {
        return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(now.getNano());
    }

    /** From when on {@link #firstAt} is higher than this token. */
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
