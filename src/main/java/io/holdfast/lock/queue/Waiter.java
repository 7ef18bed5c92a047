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
 * One caller that waits at this replica. Its fields change under the monitor of its {@link LocalWaitQueue}; the states are
 * drawn in docs/states.md.
 */
final class Waiter {
    private static final int NO_PLACE = Integer.MAX_VALUE;
    private static final int TICKET_LOST = -1;
    private static final int OWNER_HOLDS_LOCK = -2;

    enum State {
        /** The store was asked for the lock or a ticket, and has not answered yet. */
        ARRIVING,
        /** It has a ticket. */
        QUEUED,
        /** Its wait has ended while the store was asked for it; the outcome decides what it is told. */
        LEAVING,
        /** Its caller has been told, or is being told. */
        ANSWERED,
        /** Its caller disconnected before it was told. */
        GONE
    }

    private final AcquireRequest request;
    private final UniEmitter<? super Timestamped<AcquireOutcome>> caller;
    private volatile boolean delivered;

    State state = State.ARRIVING;

    /** Whether it was ever given a ticket. */
    boolean hadTicket;

    /** Its place in the queue, as of the record that was read last. */
    int place = NO_PLACE;

    /** Why the outcome of its last request is unknown; null if it is known. */
    Throwable doubt;

    Timers.Timer deadline = Timers.Timer.NONE;

    /** @param request as it arrived */
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

    /** Whether its caller is connected and has not been told yet. */
    boolean expectsAnswer() {
        return state != State.ANSWERED && state != State.GONE;
    }

    /**
     * A waiter whose owner holds the lock by now comes first: it is told so at once. Next comes a waiter whose ticket is gone:
     * it takes a new one. A waiter whose ticket was taken over by a later attempt of the same request comes last: the store
     * grants it nothing.
     */
    void updatePlace(LockRecord record, Instant now) {
        var ownerHoldsLock = record.statusAt(now) == LockStatus.ACTIVE
                && record.lease().owner().equals(request.owner());
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

    /** Its owner has just been granted the lock. */
    void ownerHoldsLock() {
        place = OWNER_HOLDS_LOCK;
    }

    /** Whether the store may grant it the lock as soon as the lock is free, or answer it at once. */
    boolean isHead() {
        return place <= 0;
    }

    /** @return whether the caller received it; a caller that disconnects at this moment does not */
    boolean tell(Timestamped<AcquireOutcome> answer) {
        caller.complete(answer);
        return delivered;
    }

    void tell(Throwable failure) {
        caller.fail(failure);
    }

    /** The answer has reached the caller. */
    void delivered() {
        delivered = true;
    }
}
