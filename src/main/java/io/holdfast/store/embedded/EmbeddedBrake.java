package io.holdfast.store.embedded;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.power.model.Brake;
import io.holdfast.store.embedded.engine.EmbeddedDatabase;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Optional;

/** The brake on stops, as the only row of its table. */
final class EmbeddedBrake {
    private static final String KEY = "brake";

    private final EmbeddedDatabase database;
    private final EmbeddedTable<Brake> table;

    EmbeddedBrake(EmbeddedDatabase database, EmbeddedTable<Brake> table) {
        this.database = database;
        this.table = table;
    }

    Uni<Brake> read() {
        return database.read(() -> table.committed().getOrDefault(KEY, Brake.OFF));
    }

    Uni<Void> pause(Optional<String> reason) {
        return database.change(() -> {
            table.put(KEY, new Brake(reason, current().stops()));
            return null;
        });
    }

    Uni<Brake.Permit> permitStop(int max, Instant now) {
        return database.change(() -> {
            var before = current();
            var decision = before.ask(max, now);
            if (!decision.brake().equals(before)) {
                table.put(KEY, decision.brake());
            }
            return decision.permit();
        });
    }

    Uni<Void> returnPermit(Brake.Permit.Granted permit) {
        return database.<Void>change(() -> {
                    table.put(KEY, current().without(permit));
                    return null;
                })
                .onFailure(StoreUnavailableException.class)
                .recoverWithNull();
    }

    private Brake current() {
        return table.get(KEY).orElse(Brake.OFF);
    }
}
