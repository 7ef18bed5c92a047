package io.holdfast.http.edge;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What the HTTP edge takes. */
@ConfigMapping(prefix = "holdfast.http")
public interface HttpConfig {
    /** Larger bodies are refused with 413. The largest legitimate one is well under half of this. */
    @WithDefault("64K")
    MemorySize bodyMax();
}
