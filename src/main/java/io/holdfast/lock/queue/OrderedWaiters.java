package io.holdfast.lock.queue;

import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.WaitQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The waiters of one lock at this replica, sorted by the record that was read last. Not thread-safe. */
final class OrderedWaiters {
    private final List<Waiter> waiters = new ArrayList<>();
    private Optional<LockRecord> record = Optional.empty();

    /** The record that was read last. */
    Optional<LockRecord> record() {
        return record;
    }

    void add(Waiter waiter) {
        waiters.add(waiter);
    }

    boolean contains(Waiter waiter) {
        return waiters.contains(waiter);
    }

    void remove(Waiter waiter) {
        waiters.remove(waiter);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    Waiter first() {
        return waiters.getFirst();
    }

    List<Waiter> all() {
        return List.copyOf(waiters);
    }

    /**
     * Sorts the waiters by their places in the record.
     *
     * @return whether the record has changed since the last call, apart from confirmations of tickets
     */
    boolean arrange(LockRecord newRecord, Instant now) {
        var changed =
                record.filter(before -> sameButForPresence(before, newRecord)).isEmpty();
        record = Optional.of(newRecord);
        waiters.forEach(waiter -> waiter.updatePlace(newRecord, now));
        sort();
        return changed;
    }

    /**
     * Moves the waiters of an owner that was just granted the lock to the front, because each can be answered at once.
     *
     * @return whether there are any
     */
    boolean moveToFront(Owner owner) {
        var sameOwner = waiters.stream()
                .filter(waiter -> waiter.request().owner().isSameAs(owner))
                .toList();
        sameOwner.forEach(Waiter::ownerHoldsLock);
        sort();
        return !sameOwner.isEmpty();
    }

    private void sort() {
        waiters.sort(Comparator.comparingInt(waiter -> waiter.place));
    }

    private static boolean sameButForPresence(LockRecord one, LockRecord other) {
        return one.with(WaitQueue.EMPTY).equals(other.with(WaitQueue.EMPTY))
                && one.queue().tickets().equals(other.queue().tickets());
    }
}
