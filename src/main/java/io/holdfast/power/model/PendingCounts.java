package io.holdfast.power.model;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The databases about which something was left to do when the reconciler came by.
 *
 * @param byPhase how many were found in each phase; every phase is there
 * @param unread how many could not be looked at
 */
public record PendingCounts(Map<Phase, Integer> byPhase, int unread) {
    public PendingCounts {
        var all = new EnumMap<Phase, Integer>(Phase.class);
        for (var phase : Phase.values()) {
            all.put(phase, byPhase.getOrDefault(phase, 0));
        }
        byPhase = Collections.unmodifiableMap(all);
    }

    /**
     * What a look at a database has found.
     *
     * @param phase none if nothing was left to do
     */
    public record Found(Optional<Phase> phase, boolean read) {
        public static final Found SETTLED = new Found(Optional.empty(), true);
        public static final Found UNREAD = new Found(Optional.empty(), false);

        public static Found in(Phase phase) {
            return new Found(Optional.of(phase), true);
        }
    }

    public static PendingCounts of(Collection<Found> looks) {
        var byPhase = new EnumMap<Phase, Integer>(Phase.class);
        looks.forEach(look -> look.phase().ifPresent(phase -> byPhase.merge(phase, 1, Integer::sum)));
        return new PendingCounts(
                byPhase,
                Math.toIntExact(looks.stream().filter(look -> !look.read()).count()));
    }
}
