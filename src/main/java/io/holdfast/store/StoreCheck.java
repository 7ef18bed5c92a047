package io.holdfast.store;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Whether a store would take a change right now. */
public interface StoreCheck {
    /** Each problem in a sentence that an operator can act on; empty when there is none. Never fails. */
    Uni<List<String>> problems();

    /**
     * Those of the problems because of which this replica should get no requests. A store that all replicas share is none
     * of them: if it is away, every replica would go, and clients would get no answer that tells them what to do.
     */
    default List<String> keepingFromReady(List<String> problems) {
        return problems;
    }
}
