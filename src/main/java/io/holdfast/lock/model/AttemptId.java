package io.holdfast.lock.model;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Identifies one request for a lock at one replica: an acquire, the connection of a hold, or the acquire of a set.
 *
 * <p>A caller that repeats a request with the same lock_id makes a new attempt. The lock's record names the attempt
 * that its lease belongs to. So the clean-up after an earlier attempt does not end the lease of a later one.
 */
public record AttemptId(String value) {
    /** For a record that was written without an attempt. */
    public static final AttemptId NONE = new AttemptId("");

    /** Several attempts were answered with one lease, and the order in which their callers sent them is unknown. */
    public static final AttemptId SEVERAL = new AttemptId("several");

    private static final String CONNECTION_PREFIX = "c-";

    public static AttemptId random() {
        return new AttemptId(Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }

    /** For a lease that is renewed while a connection lasts. Readers of the record recognise it by its prefix. */
    public static AttemptId ofConnection() {
        return new AttemptId(CONNECTION_PREFIX + random().value());
    }

    boolean isOfConnection() {
        return value.startsWith(CONNECTION_PREFIX);
    }
}
