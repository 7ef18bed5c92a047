package io.holdfast.job.action;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.port.DueWork;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Passes on that this replica has written a cluster whose next job can be claimed. */
public final class DueSignal {
    private final AtomicReference<Consumer<DueWork>> listener = new AtomicReference<>(work -> {});

    /** @param newListener must not block or throw */
    public void listen(Consumer<DueWork> newListener) {
        listener.set(newListener);
    }

    void written(Cluster cluster, Instant now) {
        cluster.claimable()
                .filter(head -> !head.dueAt().isAfter(now))
                .map(head -> new DueWork(cluster.id(), head.id(), head.type(), head.dueAt(), cluster.labels()))
                .ifPresent(listener.get());
    }
}
