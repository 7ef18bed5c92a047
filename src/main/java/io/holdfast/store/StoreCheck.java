package io.holdfast.store;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Whether a store can be used right now. */
public interface StoreCheck {
    /** Each problem in a sentence that an operator can act on; empty when there is none. Never fails. */
    Uni<List<String>> problems();
}
