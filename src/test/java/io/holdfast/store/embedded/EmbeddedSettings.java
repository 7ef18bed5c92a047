package io.holdfast.store.embedded;

import io.holdfast.store.StoreTelemetry;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** The embedded store's limits, chosen by a test. */
public record EmbeddedSettings(int batchMax, int queueMax, int fileMegabytesMax) implements EmbeddedConfig {
    /** Answers come on the writer's own thread. */
    static final EmbeddedDatabase.Surroundings HERE =
            new EmbeddedDatabase.Surroundings(() -> Runnable::run, StoreTelemetry.NONE);

    /** Answers come on other threads, which may then wait for the store again. */
    public static final EmbeddedDatabase.Surroundings ELSEWHERE =
            new EmbeddedDatabase.Surroundings(Infrastructure::getDefaultExecutor, StoreTelemetry.NONE);

    public static final EmbeddedSettings DEFAULT = new EmbeddedSettings(512, 10_000, 64);
}
