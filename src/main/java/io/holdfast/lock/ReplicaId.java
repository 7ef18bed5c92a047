package io.holdfast.lock;

import java.util.concurrent.ThreadLocalRandom;

/** One running process of the service. A process that starts again is another replica. */
public record ReplicaId(String value) {
    public static ReplicaId random() {
        return new ReplicaId(Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }
}
