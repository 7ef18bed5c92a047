package io.holdfast.probe;

import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.remote.Excerpt;
import io.holdfast.remote.Failures;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/** Takes looks at apps: so many at once, each within its time, and each with a result whatever happens. */
final class ProbeRunner {
    private final AsyncBulkhead turns;
    private final Bounds bounds;
    private final ScheduledExecutorService timers;

    ProbeRunner(int parallelMax, Bounds bounds, ScheduledExecutorService timers) {
        this.turns = new AsyncBulkhead(parallelMax);
        this.bounds = bounds;
        this.timers = timers;
    }

    /**
     * @param timeout of the look itself, from when it is its turn
     * @param runMax of the look and its wait; whoever waits that long leaves the line
     */
    record Bounds(Duration timeout, Duration runMax) {}

    Uni<Result> run(Supplier<Uni<Result>> look) {
        return turns.<Result>inTurn(() ->
                        look.get().ifNoItem().after(bounds.timeout()).on(timers).fail())
                .ifNoItem()
                .after(bounds.runMax())
                .on(timers)
                .failWith(this::tooLong)
                .onFailure()
                .recoverWithItem(failure -> Result.unknown(detail(failure)));
    }

    private CannotTellException tooLong() {
        return new CannotTellException(
                "no verdict within " + bounds.runMax().toMillis() + " ms, the wait for its turn included");
    }

    private String detail(Throwable failure) {
        return failure instanceof CannotTellException cannotTell
                ? Excerpt.of(cannotTell.getMessage())
                : Failures.sentence(failure, bounds.timeout());
    }
}
