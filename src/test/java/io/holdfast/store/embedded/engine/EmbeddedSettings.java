package io.holdfast.store.embedded.engine;

import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The embedded store's limits, chosen by a test. */
public record EmbeddedSettings(
        int batchMax,
        int queueMax,
        int fileMegabytesMax,
        Duration changeTimeout,
        Duration reopenBackoffBase,
        Duration reopenBackoffMax,
        Duration probeEvery)
        implements EmbeddedConfig {
    /** Answers come on the writer's own thread. */
    public static final Supplier<Executor> HERE = () -> Runnable::run;

    /** Answers come on other threads, which may then wait for the store again. */
    public static final Supplier<Executor> ELSEWHERE = Infrastructure::getDefaultExecutor;

    /** Times that do not matter: no change is late on a busy machine. */
    public EmbeddedSettings(int batchMax, int queueMax, int fileMegabytesMax) {
        this(
                batchMax,
                queueMax,
                fileMegabytesMax,
                Duration.ofMinutes(2),
                Duration.ofMillis(100),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30));
    }

    public static final EmbeddedSettings DEFAULT = new EmbeddedSettings(512, 10_000, 64);
}
