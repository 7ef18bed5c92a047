package io.holdfast.http.edge;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the HTTP API. */
@ConfigMapping(prefix = "holdfast.http")
public interface HttpConfig {
    /** Larger bodies are refused with 413. Every valid body is smaller than half of the default. */
    @WithDefault("64K")
    MemorySize bodyMax();
}
