package io.holdfast.store;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Whether a store accepts changes now. */
public interface StoreCheck {
    /** One sentence for each problem, which tells an operator what to do. Never fails. */
    Uni<List<String>> problems();

    /**
     * The problems for which this replica should get no requests. An outage of a shared store is not one of them: it
     * would make every replica unready, and clients would get refused connections in place of a 503.
     */
    default List<String> blockingReadiness(List<String> problems) {
        return problems;
    }
}
