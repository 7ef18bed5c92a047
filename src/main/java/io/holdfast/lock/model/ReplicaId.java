package io.holdfast.lock.model;

import java.util.concurrent.ThreadLocalRandom;

/** One running process of the service. A process that starts again is another replica. */
public record ReplicaId(String value) {
    /** Of a ticket that was written without one, by the version before. It stays until its deadline. */
    public static final ReplicaId NONE = new ReplicaId("");

    public static ReplicaId random() {
        return new ReplicaId(Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }
}
