package io.holdfast.store.embedded;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The limits of the embedded store. */
@ConfigMapping(prefix = "holdfast.embedded")
public interface EmbeddedConfig {
    /** The most changes that share one fsync. More raises throughput under load and the time each of them waits. */
    @WithDefault("512")
    int batchMax();

    /** The most changes that wait for the disk. Beyond it callers get 503 at once instead of a long queue. */
    @WithDefault("10000")
    int queueMax();

    /** The most megabytes the data file may grow to. Beyond it changes are refused and what is stored stays readable. */
    @WithDefault("4096")
    int fileMegabytesMax();
}
