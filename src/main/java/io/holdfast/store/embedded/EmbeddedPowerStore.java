package io.holdfast.store.embedded;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore.PendingOrder;
import io.holdfast.store.codec.PendingOrders;
import io.holdfast.store.codec.PowerJson;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Decisions in the embedded database. One writer decides, so each step is atomic and in order. */
final class EmbeddedPowerStore implements PowerStore {
    private static final String BRAKE = "brake";

    private static final Pattern ROW_KEY_REST = Pattern.compile("[0-9]{19}-[0-9]+");

    private final EmbeddedDatabase database;
    private final Tables tables;
    private final EmbeddedRegistryStore registry;

    EmbeddedPowerStore(EmbeddedDatabase database, Tables tables, EmbeddedRegistryStore registry) {
        this.database = database;
        this.tables = tables;
        this.registry = registry;
    }

    record Tables(EmbeddedTable<PowerState> states, EmbeddedTable<Decision> decisions, EmbeddedTable<Brake> brake) {
        static Tables create() {
            return new Tables(
                    new EmbeddedTable<>("power", codec(PowerJson::write, PowerJson::readState)),
                    new EmbeddedTable<>("decisions", codec(PowerJson::write, PowerJson::readDecision)),
                    new EmbeddedTable<>("brake", codec(PowerJson::write, PowerJson::readBrake)));
        }

        /** Decisions stay: they are history. */
        void forget(DatabaseId id) {
            states.delete(id.value());
        }

        /** On the writer. */
        Optional<PendingOrder> pendingOrder(DatabaseId id) {
            return states.get(id.value()).flatMap(state -> PendingOrders.in(state.phase()));
        }

        List<EmbeddedTable<?>> all() {
            return List.of(states, decisions, brake);
        }
    }

    /** On the writer, where the tables belong together. */
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
                tables.states()
                        .put(seen.id().value(), state.with(state.intents().claimStart(app, until)));
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
                    .ifPresent(state -> tables.states()
                            .put(seen.id().value(), state.with(state.intents().without(apps))));
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
            unchanged.ifPresent(shared -> tables.states().put(seen.id().value(), state.next(phase, now)));
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
            tables.states().put(id.value(), state.settled(phase, since));
            return true;
        });
    }

    @Override
    public Uni<Page<DatabaseId>> pending(int limit, Optional<Cursor> after, Instant now) {
        return database.read(() -> {
            var found = new ArrayList<DatabaseId>();
            var from = tables.states()
                    .committed()
                    .tailMap(after.map(Cursor::position).orElse(""), false);
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

    /** Nothing to do: what is unsettled is found by looking at the states themselves. */
    @Override
    public Uni<Void> tidy(DatabaseId id, Instant now) {
        return Uni.createFrom().voidItem();
    }

    /** Rows that have had their time are removed by the next one of the same database. */
    @Override
    public Uni<Void> record(Decision decision, Instant until) {
        return database.change(() -> {
            var retention = Duration.between(decision.by().at(), until);
            var first = prefix(decision.database());
            var key = rowKey(decision);
            tables.decisions().put(key, decision);
            // Older rows come later, so those that have had their time are all behind one point.
            var oldest = stem(decision.database(), decision.by().at().minus(retention)) + "~";
            List.copyOf(tables.decisions()
                            .committed()
                            .subMap(oldest, false, first + "~", false)
                            .keySet())
                    .forEach(tables.decisions()::delete);
            return null;
        });
    }

    @Override
    public Uni<Page<Decision>> decisions(DatabaseId id, int limit, Optional<Cursor> after) {
        return database.read(() -> {
            var first = prefix(id);
            var found = new ArrayList<Decision>();
            var from = after.map(cursor -> checked(cursor, first)).orElse(first);
            for (var row : tables.decisions()
                    .committed()
                    .subMap(from, false, first + "~", false)
                    .entrySet()) {
                found.add(row.getValue());
                if (found.size() == limit) {
                    return new Page<>(found, Optional.of(new Cursor(row.getKey())));
                }
            }
            return new Page<>(found, Optional.empty());
        });
    }

    @Override
    public Uni<Brake> brake() {
        return database.read(() -> tables.brake().committed().getOrDefault(BRAKE, Brake.OFF));
    }

    @Override
    public Uni<Void> pause(Optional<String> reason) {
        return database.change(() -> {
            tables.brake().put(BRAKE, new Brake(reason, currentBrake().stops()));
            return null;
        });
    }

    @Override
    public Uni<Brake.Permit> permitStop(int max, Instant now) {
        return database.change(() -> {
            var before = currentBrake();
            var decision = before.ask(max, now);
            if (!decision.brake().equals(before)) {
                tables.brake().put(BRAKE, decision.brake());
            }
            return decision.permit();
        });
    }

    @Override
    public Uni<Void> returnPermit(Brake.Permit.Granted permit) {
        return database.<Void>change(() -> {
                    tables.brake().put(BRAKE, currentBrake().without(permit));
                    return null;
                })
                .onFailure(StoreUnavailableException.class)
                .recoverWithNull();
    }

    private Uni<Boolean> change(DatabaseId id, UnaryOperator<PowerState> step) {
        return database.change(() -> {
            var known = registry.shared(id).isPresent();
            if (known) {
                tables.states().put(id.value(), step.apply(state(id)));
            }
            return known;
        });
    }

    private PowerState state(DatabaseId id) {
        return tables.states().get(id.value()).orElse(PowerState.INITIAL);
    }

    private Brake currentBrake() {
        return tables.brake().get(BRAKE).orElse(Brake.OFF);
    }

    private static String checked(Cursor cursor, String prefix) {
        var position = cursor.position();
        if (position.startsWith(prefix)
                && ROW_KEY_REST.matcher(position.substring(prefix.length())).matches()) {
            return position;
        }
        throw Cursor.malformed();
    }

    private static String prefix(DatabaseId id) {
        return id.value() + " ";
    }

    /** Keys of newer rows come first. No name of ours has a blank in it. */
    private String rowKey(Decision decision) {
        var stem = stem(decision.database(), decision.by().at());
        var serial = 0;
        while (tables.decisions().get(stem + "-" + serial).isPresent()) {
            serial++;
        }
        return stem + "-" + serial;
    }

    private static String stem(DatabaseId id, Instant at) {
        return prefix(id) + "%019d".formatted(Long.MAX_VALUE - at.toEpochMilli());
    }

    private static <V> EmbeddedTable.Codec<V> codec(Function<V, String> write, Function<String, V> read) {
        return new EmbeddedTable.Codec<>() {
            @Override
            public String encode(V value) {
                return write.apply(value);
            }

            @Override
            public V decode(String key, String text) {
                return read.apply(text);
            }
        };
    }
}
