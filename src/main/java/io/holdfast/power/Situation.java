package io.holdfast.power;

import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.SharedDatabase;

/** A database, who uses it, and what was decided about it: read at one moment. */
public record Situation(SharedDatabase shared, PowerState state) {
    public Database database() {
        return shared.database();
    }

    public DatabaseId id() {
        return shared.database().id();
    }
}
