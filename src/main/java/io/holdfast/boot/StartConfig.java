package io.holdfast.boot;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How careful a start is. */
@ConfigMapping(prefix = "holdfast")
public interface StartConfig {
    /** With true, a name that is not a setting keeps the service from starting; otherwise it is a warning. */
    @WithDefault("false")
    boolean strict();
}
