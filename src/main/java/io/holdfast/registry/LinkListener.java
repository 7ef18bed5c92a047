package io.holdfast.registry;

import java.util.Set;

/** Hears which databases an app no longer uses. Must not block or throw. */
public interface LinkListener {
    void unlinked(Set<DatabaseId> databases);
}
