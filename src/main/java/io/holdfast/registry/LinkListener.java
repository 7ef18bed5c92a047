package io.holdfast.registry;

import java.util.Set;

/** Receives the databases that an app no longer uses. Must not block or throw. */
public interface LinkListener {
    void unlinked(Set<DatabaseId> databases);
}
