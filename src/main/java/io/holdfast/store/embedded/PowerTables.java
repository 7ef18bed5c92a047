package io.holdfast.store.embedded;

import io.holdfast.power.model.Brake;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.PowerState;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore.PendingOrder;
import io.holdfast.store.codec.PendingOrders;
import io.holdfast.store.codec.PowerJson;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.holdfast.store.embedded.engine.EmbeddedTable.Codec;
import java.util.List;
import java.util.Optional;

/** The tables of the power store. */
record PowerTables(EmbeddedTable<PowerState> states, EmbeddedTable<Decision> decisions, EmbeddedTable<Brake> brake) {
    /** States and decisions have other field names since this format of the file. */
    private static final long FORMAT = 2;

    static PowerTables create() {
        return new PowerTables(
                new EmbeddedTable<>("power", Codec.of(PowerJson::write, PowerJson::readState), FORMAT),
                new EmbeddedTable<>("decisions", Codec.of(PowerJson::write, PowerJson::readDecision), FORMAT),
                new EmbeddedTable<>("brake", Codec.of(PowerJson::write, PowerJson::readBrake)));
    }

    List<EmbeddedTable<?>> all() {
        return List.of(states, decisions, brake);
    }

    /** Removes the state of a database that is no longer registered. Its decisions stay, as history. */
    void forget(DatabaseId id) {
        states.delete(id.value());
    }

    /** Call it on the writer. */
    Optional<PendingOrder> pendingOrder(DatabaseId id) {
        return states.get(id.value()).flatMap(state -> PendingOrders.in(state.phase()));
    }
}
