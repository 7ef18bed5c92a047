package io.holdfast.store.codec;

import io.holdfast.power.model.Phase;
import io.holdfast.registry.RegistryStore.PendingOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The phases in which an order to a database is pending. Its registration must not change then. */
public final class PendingOrders {
    private PendingOrders() {}

    /**
     * A stuck stop is not pending. It had {@code holdfast.power.stop-max} to end, and an operator may have to change or
     * remove the database.
     */
    public static Optional<PendingOrder> in(Phase phase) {
        return switch (phase) {
            case STOPPING -> Optional.of(PendingOrder.STOP);
            case STARTING -> Optional.of(PendingOrder.START);
            case UNDECIDED, RUNNING, STOPPED, STOP_STUCK -> Optional.empty();
        };
    }

    public static List<Phase> phases() {
        return Arrays.stream(Phase.values())
                .filter(phase -> in(phase).isPresent())
                .toList();
    }
}
