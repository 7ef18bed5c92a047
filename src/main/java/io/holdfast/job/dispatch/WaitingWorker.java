package io.holdfast.job.dispatch;

import io.holdfast.job.action.Claim;
import io.holdfast.kernel.Timers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One worker that asks for a job. {@link WaitingWorkers} guards its state. */
final class WaitingWorker {
    enum State {
        /** Work may be given to it. */
        WAITING,
        /** A claim for it is under way. */
        CLAIMING,
        /** It was answered, or has disconnected. */
        DONE
    }

    private final ClaimRequest request;
    /** Cancelled when the worker disconnects. */
    private final CompletableFuture<Optional<Claim>> answer = new CompletableFuture<>();

    State state = State.WAITING;
    /** Whether it is known that the worker does not run a job already. */
    boolean checked;
    /** Whether its wait is over. A claim that is under way is still answered. */
    boolean overdue;

    Timers.Timer timer = Timers.Timer.NONE;

    WaitingWorker(ClaimRequest request) {
        this.request = request;
    }

    ClaimRequest request() {
        return request;
    }

    CompletableFuture<Optional<Claim>> answer() {
        return answer;
    }
}
