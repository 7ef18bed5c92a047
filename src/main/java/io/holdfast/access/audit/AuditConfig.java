package io.holdfast.access.audit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;

/** Settings of the audit log. */
@ConfigMapping(prefix = "holdfast.audit")
public interface AuditConfig {
    /** A file to which each line is appended, too. While it cannot be written, actions that must be audited get 503. */
    Optional<Path> file();

    /** Lines that wait for the disk; the next one is refused. */
    @WithDefault("10000")
    int queueMax();
}
