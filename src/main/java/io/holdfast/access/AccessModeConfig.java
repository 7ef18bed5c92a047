package io.holdfast.access;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/** Whether access control is on. */
@ConfigMapping(prefix = "holdfast")
public interface AccessModeConfig {
    enum Mode {
        OPEN
    }

    /** The access file. With it, access control is on. */
    Optional<Path> accessFile();

    /** {@code open}: every client that reaches the port may do everything. Excludes an access file. */
    Optional<Mode> access();
}
