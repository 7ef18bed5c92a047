package io.holdfast.store.embedded;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

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

    /**
     * How long a change may take, waiting included. A change that has not begun by then is answered with 503 and never
     * made; one that has begun is answered with 503 and may or may not be made.
     */
    @WithDefault("5s")
    Duration changeTimeout();

    /** The first pause between two attempts to reopen a data file that failed; the first attempt comes without one. */
    @WithDefault("100ms")
    Duration reopenBackoffBase();

    /** The longest pause between two attempts to reopen a data file. A disk that works again is noticed that much later. */
    @WithDefault("5s")
    Duration reopenBackoffMax();

    /** A check of the store writes a probe if nothing was written for this long. */
    @WithDefault("30s")
    Duration probeEvery();
}
