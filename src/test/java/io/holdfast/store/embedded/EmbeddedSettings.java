package io.holdfast.store.embedded;

import io.holdfast.store.StoreTelemetry;

/** The embedded store's limits, chosen by a test. */
record EmbeddedSettings(int batchMax, int queueMax, int fileMegabytesMax) implements EmbeddedConfig {
    /** Answers come on the writer's own thread. */
    static final EmbeddedDatabase.Surroundings HERE =
            new EmbeddedDatabase.Surroundings(() -> Runnable::run, StoreTelemetry.NONE);

    static final EmbeddedSettings DEFAULT = new EmbeddedSettings(512, 10_000, 64);
}
