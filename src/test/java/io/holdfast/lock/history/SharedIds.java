package io.holdfast.lock.history;

import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.Owner;
import java.util.HashSet;
import java.util.Set;

/** The lock_ids of clients that share an owner string: some are new, some were seen with another client. */
final class SharedIds {
    private static final double COPIED = 0.4;

    private final Simulation simulation;
    private final Set<Owner> usedBy = new HashSet<>();
    private LockId last;

    SharedIds(Simulation simulation) {
        this.simulation = simulation;
    }

    /** No client gets the same one twice. */
    LockId next(Owner owner) {
        if (last == null || usedBy.contains(owner) || !simulation.chance(COPIED)) {
            last = simulation.anId();
            usedBy.clear();
        }
        usedBy.add(owner);
        return last;
    }
}
