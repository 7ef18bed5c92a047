package io.holdfast.job.action;

import io.holdfast.job.port.Changes;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.LockStep;
import io.holdfast.lock.model.LockRecord;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Passes on what this replica has written: work that can be claimed, and locks of clusters that were released. */
public final class JobSignals {
    private final AtomicReference<Consumer<DueWork>> due = new AtomicReference<>(work -> {});
    private final AtomicReference<Consumer<LockRecord>> released = new AtomicReference<>(lock -> {});

    /** @param listener must not block or throw */
    public void onDue(Consumer<DueWork> listener) {
        due.set(listener);
    }

    /** @param listener gets the record after the release; must not block or throw */
    public void onRelease(Consumer<LockRecord> listener) {
        released.set(listener);
    }

    void written(Changes changes, Instant now) {
        changes.lock()
                .filter(LockStep.Release.class::isInstance)
                .flatMap(LockStep::written)
                .ifPresent(released.get());
        changes.cluster()
                .map(Changes.ClusterChange::after)
                .flatMap(DueWork::of)
                .filter(work -> !work.dueAt().isAfter(now))
                .ifPresent(due.get());
    }
}
