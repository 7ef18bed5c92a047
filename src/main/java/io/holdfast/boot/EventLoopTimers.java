package io.holdfast.boot;

import io.holdfast.kernel.Timers;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Timers on an event loop. A task runs in its own context, not in that of the request that set the timer. */
@Singleton
final class EventLoopTimers implements Timers {
    private final ContextInternal context;

    EventLoopTimers(Vertx vertx) {
        context = ((VertxInternal) vertx).createEventLoopContext();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        var timer = context.nettyEventLoop()
                .schedule(
                        () -> context.runOnContext(ignored -> task.run()),
                        Math.max(0, delay.toNanos()),
                        TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }
}
