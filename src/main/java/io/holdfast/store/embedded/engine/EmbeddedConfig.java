package io.holdfast.store.embedded.engine;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The limits of the embedded store. */
@ConfigMapping(prefix = "holdfast.embedded")
public interface EmbeddedConfig {
    /** The most changes that share one fsync. A higher value raises throughput and latency under load. */
    @WithDefault("512")
    int batchMax();

    /** The most changes that wait for the disk. Further ones get 503 at once. */
    @WithDefault("10000")
    int queueMax();

    /** The largest size of the data file in megabytes. Beyond it changes are refused; reads still work. */
    @WithDefault("4096")
    int fileMegabytesMax();

    /**
     * How long a change may take, including its time in the queue. Then it is answered with 503. A change that has not
     * begun is not made; one that has begun may or may not be made.
     */
    @WithDefault("5s")
    Duration changeTimeout();

    /** The first pause between attempts to reopen a failed data file. There is no pause before the first attempt. */
    @WithDefault("100ms")
    Duration reopenBackoffBase();

    /**
     * The longest pause between attempts to reopen a data file. A repaired disk is detected after at most this time.
     */
    @WithDefault("5s")
    Duration reopenBackoffMax();

    /** The store check writes a probe record if there was no other write for this long. */
    @WithDefault("30s")
    Duration probeEvery();
}
