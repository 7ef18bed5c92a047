package io.holdfast.boot.settings;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the start. */
@ConfigMapping(prefix = "holdfast")
public interface StartConfig {
    /** With true, the service does not start if a setting is unknown. With false it logs a warning. */
    @WithDefault("false")
    boolean strict();
}
