package io.holdfast.lock;

import java.util.concurrent.ThreadLocalRandom;

/**
 * One request that waits, as it arrived at one replica. The same caller that asks again, with the same lock_id, is
 * another asker: what the first one left behind can be taken back without touching what the second one was given.
 */
public record Asker(String value) {
    public static Asker anew() {
        return new Asker(Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }
}
