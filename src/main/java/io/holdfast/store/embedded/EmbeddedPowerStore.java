package io.holdfast.store.embedded;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.store.embedded.engine.EmbeddedDatabase;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The power state in the embedded database. One writer decides, so each step is atomic and in order. */
final class EmbeddedPowerStore implements PowerStore {
    private final EmbeddedDatabase database;
    private final EmbeddedTable<PowerState> states;
    private final EmbeddedRegistryStore registry;
    private final EmbeddedDecisions decisions;
    private final EmbeddedBrake brake;

    EmbeddedPowerStore(EmbeddedDatabase database, PowerTables tables, EmbeddedRegistryStore registry) {
        this.database = database;
        this.states = tables.states();
        this.registry = registry;
        this.decisions = new EmbeddedDecisions(database, tables.decisions());
        this.brake = new EmbeddedBrake(database, tables.brake());
    }

    /** Runs on the writer, where the tables are consistent with each other. */
    @Override
    public Uni<Optional<DatabaseSnapshot>> snapshot(DatabaseId id) {
        return database.change(() -> registry.shared(id).map(shared -> new DatabaseSnapshot(shared, state(id))));
    }

    @Override
    public Uni<Boolean> requestStop(DatabaseId id, AppName app, Instant now) {
        return change(id, state -> state.with(state.intents().requestStop(app, now)));
    }

    @Override
    public Uni<Boolean> claimStart(DatabaseId id, AppName app, Instant until, Instant now) {
        return change(id, state -> state.with(state.intents().claimStart(app, until)));
    }

    @Override
    public Uni<Boolean> extendClaim(DatabaseSnapshot seen, AppName app, Instant until) {
        return database.change(() -> {
            var state = state(seen.id());
            var unchanged = registry.shared(seen.id()).isPresent()
                    && state.intents().claimsAsIn(seen.state().intents(), app);
            if (unchanged) {
                states.put(seen.id().value(), state.with(state.intents().claimStart(app, until)));
            }
            return unchanged;
        });
    }

    @Override
    public Uni<Void> forget(DatabaseSnapshot seen, Set<AppName> apps) {
        return database.change(() -> {
            registry.shared(seen.id())
                    .filter(shared -> shared.edgeVersion() == seen.shared().edgeVersion())
                    .map(shared -> state(seen.id()))
                    .filter(state -> state.intents().saysAsIn(seen.state().intents(), apps))
                    .ifPresent(state -> states.put(
                            seen.id().value(), state.with(state.intents().without(apps))));
            return null;
        });
    }

    @Override
    public Uni<Boolean> commit(DatabaseSnapshot seen, Phase phase, Instant now) {
        return database.change(() -> {
            var state = state(seen.id());
            var unchanged = registry.shared(seen.id())
                    .filter(shared -> shared.edgeVersion() == seen.shared().edgeVersion())
                    .filter(shared ->
                            shared.database().actuator().equals(seen.database().actuator()))
                    .filter(shared -> state.epoch() == seen.state().epoch())
                    .filter(shared ->
                            state.intents().version() == seen.state().intents().version());
            unchanged.ifPresent(shared -> states.put(seen.id().value(), state.next(phase, now)));
            return unchanged.isPresent();
        });
    }

    @Override
    public Uni<Boolean> settle(DatabaseId id, long epoch, Phase phase, Instant since) {
        return database.change(() -> {
            var state = state(id);
            if (state.epoch() != epoch || registry.shared(id).isEmpty()) {
                return false;
            }
            states.put(id.value(), state.settled(phase, since));
            return true;
        });
    }

    @Override
    public Uni<Page<DatabaseId>> pending(int limit, Optional<Cursor> after, Instant now) {
        return database.read(() -> {
            var found = new ArrayList<DatabaseId>();
            var from = states.committed().tailMap(after.map(Cursor::position).orElse(""), false);
            for (var entry : from.entrySet()) {
                if (entry.getValue().pendingAt(now)) {
                    found.add(new DatabaseId(entry.getKey()));
                }
                if (found.size() == limit) {
                    return new Page<>(found, Optional.of(new Cursor(entry.getKey())));
                }
            }
            return new Page<>(found, Optional.empty());
        });
    }

    /** Nothing to do: {@link #pending} reads the states themselves. */
    @Override
    public Uni<Void> tidy(DatabaseId id, Instant now) {
        return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<Void> record(Decision decision, Instant until) {
        return decisions.record(decision, until);
    }

    @Override
    public Uni<Page<Decision>> decisions(DatabaseId id, int limit, Optional<Cursor> after) {
        return decisions.page(id, limit, after);
    }

    @Override
    public Uni<Brake> brake() {
        return brake.read();
    }

    @Override
    public Uni<Void> pause(Optional<String> reason) {
        return brake.pause(reason);
    }

    @Override
    public Uni<Brake.Permit> permitStop(int max, Instant now) {
        return brake.permitStop(max, now);
    }

    @Override
    public Uni<Void> returnPermit(Brake.Permit.Granted permit) {
        return brake.returnPermit(permit);
    }

    private Uni<Boolean> change(DatabaseId id, UnaryOperator<PowerState> step) {
        return database.change(() -> {
            var known = registry.shared(id).isPresent();
            if (known) {
                states.put(id.value(), step.apply(state(id)));
            }
            return known;
        });
    }

    private PowerState state(DatabaseId id) {
        return states.get(id.value()).orElse(PowerState.INITIAL);
    }
}
