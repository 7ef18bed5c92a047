package io.holdfast.lock;

import io.holdfast.lock.LockService.At;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The callers at this replica that wait for one lock. The foremost of them looks for all: at once when something was
 * released here, and from time to time for what happens elsewhere. So the store is asked as often for a hundred of them
 * as for one.
 *
 * <p>At most one look is under way. Whatever happens meanwhile is noted, and dealt with when its answer is there: a
 * wake-up leads to another look, and of a caller whose time is up or who went away the outcome of the attempt made for
 * it is awaited, because it may have been granted.
 */
final class LocalLine {
    private final LockName name;
    private final WaitingRoom room;
    private final Pauses pauses;
    private final List<Waiter> waiters = new ArrayList<>();
    private Optional<LockRecord> last = Optional.empty();
    private int arriving;
    private long wakes;
    private Waiter lookingFor;
    private boolean lookAgain;
    private Timers.Timer timer = Timers.Timer.NONE;
    private Timers.Timer presenceTimer = Timers.Timer.NONE;

    LocalLine(LockName name, WaitingRoom room, Pauses pauses) {
        this.name = name;
        this.room = room;
        this.pauses = pauses;
    }

    LockName name() {
        return name;
    }

    /** Somebody asks the store for a place. Until the answer is there, this line must stay and count wake-ups. */
    synchronized LocalLine expect() {
        arriving++;
        return this;
    }

    synchronized void turnedBack() {
        arriving--;
    }

    synchronized long wakes() {
        return wakes;
    }

    synchronized boolean isDeserted() {
        return waiters.isEmpty() && arriving == 0 && lookingFor == null;
    }

    synchronized Optional<LockRecord> last() {
        return last;
    }

    /** @param wakesBefore how many wake-ups there had been when it asked for its place; one since then was meant for it */
    void joined(Waiter waiter, LockRecord record, long wakesBefore) {
        boolean there;
        boolean look;
        synchronized (this) {
            arriving--;
            there = !waiter.isGone();
            if (there) {
                waiters.add(waiter);
                if (waiters.size() == 1) {
                    keepQueuedAfter(room.presencePause());
                }
                waiter.deadline = room.after(waiter.until(), () -> leave(waiter));
            }
            arrange(record);
            look = wakes != wakesBefore;
            if (!look) {
                schedule();
            }
        }
        if (!there) {
            room.left(waiter, this);
        }
        if (look) {
            look(Optional.empty());
        }
    }

    /** @param seen the record, if whoever wakes it has just seen it */
    void wake(Optional<LockRecord> seen) {
        synchronized (this) {
            wakes++;
        }
        look(seen);
    }

    private void look(Optional<LockRecord> seen) {
        Waiter foremost;
        synchronized (this) {
            if (lookingFor != null) {
                lookAgain = true;
                return;
            }
            timer.cancel();
            if (waiters.isEmpty()) {
                return;
            }
            seen.ifPresent(this::arrange);
            foremost = waiters.getFirst();
            lookingFor = foremost;
        }
        var record = seen.isPresent() ? Uni.createFrom().item(seen) : room.find(name);
        room.cleanup()
                .follow(
                        record.chain(current -> room.ask(foremost.request(), current)),
                        at -> looked(foremost, at),
                        failure -> stillWaiting(foremost, Optional.empty(), failure));
    }

    private void looked(Waiter waiter, At<AcquireOutcome> at) {
        switch (at.answer()) {
            case AcquireOutcome.InLine inLine -> stillWaiting(waiter, Optional.of(inLine.record()), null);
            case AcquireOutcome.HeldByAnother held -> stillWaiting(waiter, Optional.empty(), null);
            case AcquireOutcome.ClosedUntil closed -> stillWaiting(waiter, Optional.empty(), null);
            case AcquireOutcome.KeptForLine kept -> stillWaiting(waiter, Optional.empty(), null);
            case AcquireOutcome.Granted granted -> settled(waiter, at);
            case AcquireOutcome.AlreadyYours yours -> settled(waiter, at);
            case AcquireOutcome.LineFull full -> settled(waiter, at);
            case AcquireOutcome.GaveUp gaveUp -> settled(waiter, at);
        }
    }

    private void stillWaiting(Waiter waiter, Optional<LockRecord> record, Throwable doubt) {
        boolean leaves;
        synchronized (this) {
            lookingFor = null;
            record.ifPresent(this::arrange);
            leaves = waiter.isGone() || waiter.leaving;
            waiter.doubt = doubt;
            if (leaves) {
                remove(waiter);
            }
        }
        if (leaves) {
            room.left(waiter, this);
        }
        goOn(leaves);
    }

    /** Other requests of the same owner need not wait any longer either. */
    private void settled(Waiter waiter, At<AcquireOutcome> at) {
        boolean others;
        synchronized (this) {
            lookingFor = null;
            remove(waiter);
            pauses.reset();
            others = at.answer() instanceof AcquireOutcome.Granted
                    && bringForward(waiter.request().owner());
        }
        room.settled(waiter, at, this);
        goOn(others);
    }

    /** @return whether there are any */
    private boolean bringForward(Owner owner) {
        var theirs = waiters.stream()
                .filter(waiter -> waiter.request().owner().equals(owner))
                .toList();
        theirs.forEach(Waiter::isAnsweredAtOnce);
        sort();
        return !theirs.isEmpty();
    }

    /** Its time is up, or it is gone. If an attempt is under way for it, what comes of that is awaited. */
    void leave(Waiter waiter) {
        synchronized (this) {
            waiter.leaving = true;
            if (lookingFor == waiter || !waiters.contains(waiter)) {
                return;
            }
            remove(waiter);
        }
        room.left(waiter, this);
        goOn(true);
    }

    /** Everybody is sent away. */
    void disperse(Throwable why) {
        List<Waiter> all;
        synchronized (this) {
            all = List.copyOf(waiters);
            all.forEach(waiter -> waiter.dismissal = why);
        }
        all.forEach(room::dismiss);
        all.forEach(this::leave);
    }

    /** @param moved whether one has left, so that another may be the first now */
    private void goOn(boolean moved) {
        boolean look;
        synchronized (this) {
            look = lookAgain || moved;
            lookAgain = false;
            if (!look) {
                schedule();
            }
        }
        if (look) {
            look(Optional.empty());
        }
    }

    private void schedule() {
        timer.cancel();
        if (lookingFor == null && !waiters.isEmpty()) {
            var now = room.now();
            var pause = pauses.next(waiters.getFirst(), last, now);
            timer = room.after(now.plus(pause), () -> look(Optional.empty()));
        }
    }

    private void remove(Waiter waiter) {
        waiters.remove(waiter);
        waiter.deadline.cancel();
        if (waiters.isEmpty()) {
            presenceTimer.cancel();
        }
    }

    /** As long as callers wait here, their tickets are confirmed: a replica that stops confirming loses its places. */
    private void keepQueuedAfter(Duration pause) {
        presenceTimer.cancel();
        presenceTimer = room.after(pause, this::keepQueued);
    }

    private void keepQueued() {
        synchronized (this) {
            if (waiters.isEmpty()) {
                return;
            }
            keepQueuedAfter(room.presencePause());
        }
        room.keepQueued(name).subscribe().with(record -> record.ifPresent(this::saw), failure -> keepQueuedSoon());
    }

    /** When the store is back after an outage, the tickets are confirmed at once. */
    private synchronized void keepQueuedSoon() {
        if (!waiters.isEmpty()) {
            keepQueuedAfter(room.presenceRetryPause());
        }
    }

    private synchronized void saw(LockRecord record) {
        arrange(record);
    }

    private void arrange(LockRecord record) {
        if (last.filter(before -> sameButForPresence(before, record)).isEmpty()) {
            pauses.reset();
        }
        last = Optional.of(record);
        var now = room.now();
        waiters.forEach(waiter -> waiter.standsIn(record, now));
        sort();
    }

    private void sort() {
        waiters.sort(Comparator.comparingInt(waiter -> waiter.place));
    }

    private static boolean sameButForPresence(LockRecord one, LockRecord other) {
        return one.with(Line.EMPTY).equals(other.with(Line.EMPTY))
                && one.line().tickets().equals(other.line().tickets());
    }
}
