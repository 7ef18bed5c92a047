package io.holdfast.store.embedded;

/** The embedded store's limits, chosen by a test. */
record EmbeddedSettings(int batchMax, int queueMax, int fileMegabytesMax) implements EmbeddedConfig {
    static final EmbeddedSettings DEFAULT = new EmbeddedSettings(512, 10_000, 64);
}
