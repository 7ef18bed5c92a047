package io.holdfast.power.model;

import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.SharedDatabase;
import io.holdfast.registry.Sharer;
import java.util.Set;
import java.util.stream.Collectors;

/** A database, who uses it, and what was decided about it: read at one moment. */
public record DatabaseSnapshot(SharedDatabase shared, PowerState state) {
    public Database database() {
        return shared.database();
    }

    public Set<AppName> linked() {
        return shared.sharers().stream().map(Sharer::app).collect(Collectors.toSet());
    }

    /** Whether no link, no hold, no decision and no other actuator has come since. */
    public boolean isStill(DatabaseSnapshot later) {
        return later.shared().edgeVersion() == shared.edgeVersion()
                && later.database().actuator().equals(database().actuator())
                && later.state().epoch() == state.epoch()
                && later.state().intents().version() == state.intents().version();
    }

    public DatabaseSnapshot with(PowerState.Intents intents) {
        return new DatabaseSnapshot(shared, state.with(intents));
    }

    public DatabaseId id() {
        return shared.database().id();
    }
}
