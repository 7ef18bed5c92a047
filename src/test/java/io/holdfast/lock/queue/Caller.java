package io.holdfast.lock.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Somebody who asked for a lock and looks at the door now and then. */
final class Caller {
    private final Owner owner;
    private final CompletableFuture<AcquireOutcome> answer = new CompletableFuture<>();
    private Instant answeredAt;
    private final Cancellable connection;

    Caller(Owner owner, Uni<Timestamped<AcquireOutcome>> asked) {
        this.owner = owner;
        this.connection = asked.subscribe()
                .with(
                        at -> {
                            answeredAt = at.now();
                            answer.complete(at.answer());
                        },
                        answer::completeExceptionally);
    }

    /** For which moment the answer was given. */
    Instant answeredAt() {
        return answeredAt;
    }

    boolean isAnswered() {
        return answer.isDone();
    }

    boolean waits() {
        return !answer.isDone();
    }

    void goesAway() {
        connection.cancel();
    }

    AcquireOutcome outcome() {
        assertThat(answer).as("%s has an answer", owner).isDone();
        return answer.join();
    }

    Lease granted() {
        assertThat(outcome()).isInstanceOf(AcquireOutcome.Granted.class);
        return ((AcquireOutcome.Granted) answer.join()).lease();
    }

    Throwable failure() {
        assertThat(answer).as("%s was failed", owner).isCompletedExceptionally();
        try {
            throw new IllegalStateException("answered " + answer.join());
        } catch (CompletionException e) {
            return e.getCause();
        }
    }
}
