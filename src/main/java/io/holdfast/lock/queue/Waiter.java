package io.holdfast.lock.queue;

import io.holdfast.kernel.Timers;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Instant;

/**
 * A caller that waits at this replica. Its fields are guarded by the monitor of its {@link LocalWaitQueue}.
 * docs/states.md shows its states.
 */
final class Waiter {
    private static final int NO_PLACE = Integer.MAX_VALUE;
    private static final int TICKET_LOST = -1;
    private static final int OWNER_HOLDS_LOCK = -2;

    enum State {
        /** The store was asked for the lock, or else for a ticket, and has not answered yet. */
        ARRIVING,
        /** It has a ticket. */
        QUEUED,
        /** Its wait has ended. If a request is in flight for it, the outcome decides the answer. */
        LEAVING,
        /** Its caller has the answer, or is getting it. */
        ANSWERED,
        /** Its caller disconnected before the answer. */
        GONE
    }

    private final AcquireRequest request;
    private final UniEmitter<? super Timestamped<AcquireOutcome>> caller;
    private volatile boolean delivered;

    State state = State.ARRIVING;

    /** Whether it ever had a ticket. */
    boolean hadTicket;

    /** Its place in the queue from 0, by the record that was read last, or one of the constants above. */
    int place = NO_PLACE;

    /** The failure of its last request to the store, which may have granted the lock; null if it did not fail. */
    Throwable doubt;

    Timers.Timer deadline = Timers.Timer.NONE;

    /** @param request the first try of the attempt */
    Waiter(AcquireRequest request, UniEmitter<? super Timestamped<AcquireOutcome>> caller) {
        this.request = request;
        this.caller = caller;
    }

    AcquireRequest request() {
        return request;
    }

    Instant since() {
        return request.queueEntry().orElseThrow().since();
    }

    Instant until() {
        return request.queueEntry().orElseThrow().until();
    }

    /** Whether its caller is connected and has no answer yet. */
    boolean expectsAnswer() {
        return state != State.ANSWERED && state != State.GONE;
    }

    /**
     * A waiter whose owner already holds the lock comes first, because it can be answered at once. Next comes a waiter
     * whose ticket is lost, because it needs a new one. A waiter whose ticket was taken over by a later attempt comes
     * last, because the store does not grant it the lock.
     */
    void updatePlace(LockRecord record, Instant now) {
        var ownerHoldsLock = record.statusAt(now) == LockStatus.ACTIVE
                && record.lease().owner().isSameAs(request.owner());
        if (ownerHoldsLock) {
            place = OWNER_HOLDS_LOCK;
        } else if (record.queue().placeOf(request.ref()).isEmpty()) {
            place = TICKET_LOST;
        } else {
            place = record.queue()
                    .aliveAt(now)
                    .placeOf(request.ref(), request.attempt())
                    .orElse(NO_PLACE);
        }
    }

    void ownerHoldsLock() {
        place = OWNER_HOLDS_LOCK;
    }

    /** Whether it is the head of the queue, or can be answered or queued again at once. */
    boolean isHead() {
        return place <= 0;
    }

    /** @return whether the caller received the answer; false if it disconnected at the same time */
    boolean answer(Timestamped<AcquireOutcome> answer) {
        caller.complete(answer);
        return delivered;
    }

    void fail(Throwable failure) {
        caller.fail(failure);
    }

    void markDelivered() {
        delivered = true;
    }
}
