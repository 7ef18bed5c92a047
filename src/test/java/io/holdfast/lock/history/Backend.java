package io.holdfast.lock.history;

import io.holdfast.lock.LockStore;

/** The store that all replicas of a history share. */
interface Backend {
    LockStore storeFor(Replica replica);

    /** Deletes what the database itself may delete by now, such as items whose time to live is over. */
    void tidyUp();
}
