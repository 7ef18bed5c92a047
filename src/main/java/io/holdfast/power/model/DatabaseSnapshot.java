package io.holdfast.power.model;

import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.SharedDatabase;
import io.holdfast.registry.Sharer;
import java.util.Set;
import java.util.stream.Collectors;

/** A database, its links and its power state, from one consistent read. */
public record DatabaseSnapshot(SharedDatabase shared, PowerState state) {
    public Database database() {
        return shared.database();
    }

    public Set<AppName> linked() {
        return shared.sharers().stream().map(Sharer::app).collect(Collectors.toSet());
    }

    /** Whether links, start claims, epoch and actuator are the same in {@code later}. */
    public boolean isUnchangedIn(DatabaseSnapshot later) {
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
