package io.holdfast.lock.history;

import io.holdfast.lock.port.LockStore;
import java.time.Duration;
import java.util.function.Supplier;

/** The store that all replicas of a history share. */
interface Backend {
    /** The store as one replica sees it. */
    Connection connect(Replica replica);

    /** @param correction what the store knows of the replica's clock: what to add to it at the moment */
    record Connection(LockStore locks, Supplier<Duration> correction) {}

    /** Deletes what the database itself may delete by now, such as items whose time to live is over. */
    void tidyUp();
}
