package io.holdfast.lock.model;

import java.util.concurrent.ThreadLocalRandom;

/** Identifies one process of the service. A restarted process is another replica. */
public record ReplicaId(String value) {
    /** For a ticket that an earlier version wrote without a replica. It stays until its deadline. */
    public static final ReplicaId NONE = new ReplicaId("");

    public static ReplicaId random() {
        return new ReplicaId(Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }
}
