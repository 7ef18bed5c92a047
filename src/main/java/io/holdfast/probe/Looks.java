package io.holdfast.probe;

import io.holdfast.power.AppProbe.Result;
import io.holdfast.remote.Excerpt;
import io.holdfast.remote.Failures;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.function.Supplier;

/** Takes looks at apps: so many at once, each within its time, and each with a result whatever happens. */
final class Looks {
    private final Turns turns;
    private final Duration timeout;

    Looks(int parallelMax, Duration timeout) {
        this.turns = new Turns(parallelMax);
        this.timeout = timeout;
    }

    /** The time runs from the look's own start, not from when it began to wait for its turn. */
    Uni<Result> look(Supplier<Uni<Result>> look) {
        return turns.<Result>inTurn(() -> look.get().ifNoItem().after(timeout).fail())
                .onFailure()
                .recoverWithItem(failure -> Result.unknown(detail(failure)));
    }

    private String detail(Throwable failure) {
        return failure instanceof CannotTellException cannotTell
                ? Excerpt.of(cannotTell.getMessage())
                : Failures.sentence(failure, timeout);
    }
}
