package io.holdfast.probe;

import io.holdfast.kernel.AsyncBulkhead;
import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.remote.Excerpt;
import io.holdfast.remote.Failures;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/** Runs probes with limited parallelism and with timeouts. Never fails: without a result the app is UNKNOWN. */
final class ProbeRunner {
    private final AsyncBulkhead bulkhead;
    private final Bounds bounds;
    private final ScheduledExecutorService timers;

    ProbeRunner(int parallelMax, Bounds bounds, ScheduledExecutorService timers) {
        this.bulkhead = new AsyncBulkhead(parallelMax);
        this.bounds = bounds;
        this.timers = timers;
    }

    /**
     * @param timeout of the probe, after the queue
     * @param runMax of the probe including its time in the queue
     */
    record Bounds(Duration timeout, Duration runMax) {}

    Uni<Result> run(Supplier<Uni<Result>> probe) {
        return bulkhead.<Result>run(() -> probe.get()
                        .ifNoItem()
                        .after(bounds.timeout())
                        .on(timers)
                        .fail())
                .ifNoItem()
                .after(bounds.runMax())
                .on(timers)
                .failWith(this::tooLong)
                .onFailure()
                .recoverWithItem(failure -> Result.unknown(detail(failure)));
    }

    private StatusUnknownException tooLong() {
        return new StatusUnknownException(
                "no result within " + bounds.runMax().toMillis() + " ms, including the time in the queue");
    }

    private String detail(Throwable failure) {
        return failure instanceof StatusUnknownException unknown
                ? Excerpt.of(unknown.getMessage())
                : Failures.sentence(failure, bounds.timeout());
    }
}
