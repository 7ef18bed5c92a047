package io.holdfast.store.embedded.engine;

import io.holdfast.kernel.Settings;
import io.holdfast.kernel.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** One change. It is answered once: by the writer, or when its deadline has passed. */
final class Change<T> {
    private enum State {
        WAITING,
        BEGUN,
        ANSWERED,
        EXPIRED;

        boolean isOpen() {
            return this == WAITING || this == BEGUN;
        }
    }

    /**
     * @param length how long a change may take, including its time in the queue
     * @param at the deadline on the monotonic clock
     */
    record Deadline(Duration length, long at) {
        static Deadline in(Duration length, long now) {
            return new Deadline(length, now + length.toNanos());
        }

        boolean hasPassedAt(long now) {
            return now - at > 0;
        }
    }

    private final Supplier<T> decide;
    private final Executor answerOn;
    private final Deadline deadline;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private T decided;
    private RuntimeException refused;

    Change(Supplier<T> decide, Executor answerOn, Deadline deadline) {
        this.decide = decide;
        this.answerOn = answerOn;
        this.deadline = deadline;
    }

    CompletableFuture<T> answer() {
        return answer;
    }

    /** Whether its deadline has passed without an answer of the writer. */
    boolean isLate(long now) {
        return deadline.hasPassedAt(now) && state.get() != State.ANSWERED;
    }

    /** Returns false if the deadline has passed. Then the caller got an error, and the change must not be made. */
    boolean begin(long now) {
        if (expire(now)) {
            return false;
        }
        return state.compareAndSet(State.WAITING, State.BEGUN) || state.get() == State.BEGUN;
    }

    /** Answers the change if its deadline has passed. Returns whether it has. */
    boolean expire(long now) {
        if (!deadline.hasPassedAt(now)) {
            return false;
        }
        var before = close(State.EXPIRED);
        if (before.isOpen()) {
            var limit = Settings.text(deadline.length()) + " (holdfast.embedded.change-timeout)";
            deliverFailure(new StoreUnavailableException(
                    before == State.WAITING
                            ? "The disk was busy for " + limit + ", so the change was not made."
                            : "The disk did not confirm the change within " + limit
                                    + "; it may or may not have been made."));
        }
        return true;
    }

    void decide(List<EmbeddedTable<?>> tables) {
        try {
            decided = decide.get();
            refused = null;
            tables.forEach(EmbeddedTable::keepDraft);
        } catch (RuntimeException e) {
            refused = e;
            tables.forEach(EmbeddedTable::dropDraft);
        }
    }

    /** Answers the change after its decision has reached the disk. */
    void confirm() {
        if (refused != null) {
            fail(refused);
        } else if (close(State.ANSWERED).isOpen()) {
            deliver(() -> answer.complete(decided));
        }
    }

    void fail(RuntimeException cause) {
        if (close(State.ANSWERED).isOpen()) {
            deliverFailure(cause);
        }
    }

    /** Returns the previous state. If it was open, the caller of this method must answer. */
    private State close(State end) {
        return state.getAndUpdate(before -> before.isOpen() ? end : before);
    }

    private void deliverFailure(RuntimeException cause) {
        deliver(() -> answer.completeExceptionally(cause));
    }

    /** Runs on the caller's executor, or here if it is closed. The writer must not fail because of an answer. */
    private void deliver(Runnable answering) {
        try {
            answerOn.execute(answering);
        } catch (RejectedExecutionException closed) {
            answering.run();
        }
    }
}
