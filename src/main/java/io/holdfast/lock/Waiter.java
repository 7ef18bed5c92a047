package io.holdfast.lock;

import io.holdfast.lock.LockService.At;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** One caller that waits at this replica. Answered or gone, whichever comes first, and only once. */
final class Waiter {
    private static final int UNKNOWN = Integer.MAX_VALUE;
    private static final int LOST = -1;
    private static final int AT_ONCE = -2;

    private enum State {
        WAITING,
        ANSWERED,
        GONE
    }

    private final AcquireRequest request;
    private UniEmitter<? super At<AcquireOutcome>> caller;
    private volatile boolean heard;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    // What follows changes under the monitor of its line.

    /** Whether it has stood in line at all. */
    boolean joined;

    /** Where it stood when somebody last looked. */
    int place = UNKNOWN;

    /** Its time is up, or the service is told to go: the attempt under way, if there is one, is its last. */
    boolean leaving;

    /** Why nobody knows what came of its last attempt, if so. */
    Throwable doubt;

    /** Why it is sent away, if it is. */
    Throwable dismissal;

    Timers.Timer deadline = Timers.Timer.NONE;

    /** @param request as it arrived */
    Waiter(AcquireRequest request) {
        this.request = request;
    }

    /** Where it hears the answer. */
    void listensOn(UniEmitter<? super At<AcquireOutcome>> answer) {
        caller = answer;
    }

    AcquireRequest request() {
        return request;
    }

    Instant since() {
        return visit().since();
    }

    AcquireRequest.Visit visit() {
        return request.visit().orElseThrow();
    }

    Instant until() {
        return visit().until();
    }

    /**
     * One whose owner holds the lock by now comes first: it is told so at once. Next comes one whose ticket is not there any
     * more, to take another one. One whose place a later attempt of the same request has taken over comes last: it is
     * granted nothing by itself.
     */
    void standsIn(LockRecord record, Instant now) {
        var answeredAtOnce = record.statusAt(now) == LockStatus.ACTIVE
                && record.lease().owner().equals(request.owner());
        if (answeredAtOnce) {
            place = AT_ONCE;
        } else if (record.line().placeOf(request.ref()).isEmpty()) {
            place = LOST;
        } else {
            place = record.line()
                    .aliveAt(now)
                    .placeOf(request.ref(), request.attempt())
                    .orElse(UNKNOWN);
        }
    }

    /** Its owner holds the lock: each request of that owner is told so. */
    void isAnsweredAtOnce() {
        place = AT_ONCE;
    }

    /** Whether it may be its turn as soon as the lock is free, or at once. */
    boolean isHead() {
        return place <= 0;
    }

    boolean isGone() {
        return state.get() == State.GONE;
    }

    /** @return false if it had been answered before */
    boolean goesAway() {
        return state.compareAndSet(State.WAITING, State.GONE);
    }

    /** @return false if nobody is there any more to hear an answer; otherwise one must be told */
    boolean isToBeAnswered() {
        return state.compareAndSet(State.WAITING, State.ANSWERED);
    }

    /** @return whether it was heard: somebody who goes in this very moment hears nothing */
    boolean tell(At<AcquireOutcome> answer) {
        caller.complete(answer);
        return heard;
    }

    void heard() {
        heard = true;
    }

    void tell(Throwable failure) {
        caller.fail(failure);
    }
}
