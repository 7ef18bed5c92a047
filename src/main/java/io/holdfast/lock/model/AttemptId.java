package io.holdfast.lock.model;

import java.util.concurrent.ThreadLocalRandom;

/**
 * One request for a lock as it arrived at one replica: an acquire, a hold's connection, or an attempt to take a set.
 *
 * <p>A caller that repeats a request under the same lock_id makes a new attempt. The lock's record names the attempt that
 * its lease belongs to, so what an earlier attempt leaves behind can be cleaned up without touching the later one's lease.
 */
public record AttemptId(String value) {
    /** Belongs to no attempt: a record that was written without one. */
    public static final AttemptId NONE = new AttemptId("");

    /** Several attempts were told of a lease, and the order in which their callers sent them is not known. */
    public static final AttemptId SEVERAL = new AttemptId("several");

    private static final String CONNECTION_PREFIX = "c-";

    public static AttemptId random() {
        return new AttemptId(Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }

    /** A lease that belongs to this attempt is renewed as long as a connection lasts; readers of the record can tell. */
    public static AttemptId ofConnection() {
        return new AttemptId(CONNECTION_PREFIX + random().value());
    }

    boolean isOfConnection() {
        return value.startsWith(CONNECTION_PREFIX);
    }
}
