package io.holdfast.power.model;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The databases that one pass of the reconciler found pending.
 *
 * @param byPhase databases per phase; contains every phase
 * @param unread databases that could not be read
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
     * Result of checking one database.
     *
     * @param phase empty if nothing is pending
     */
    public record Found(Optional<Phase> phase, boolean read) {
        public static final Found NOT_PENDING = new Found(Optional.empty(), true);
        public static final Found UNREAD = new Found(Optional.empty(), false);

        public static Found in(Phase phase) {
            return new Found(Optional.of(phase), true);
        }
    }

    public static PendingCounts of(Collection<Found> checks) {
        var byPhase = new EnumMap<Phase, Integer>(Phase.class);
        checks.forEach(check -> check.phase().ifPresent(phase -> byPhase.merge(phase, 1, Integer::sum)));
        return new PendingCounts(
                byPhase,
                Math.toIntExact(checks.stream().filter(check -> !check.read()).count()));
    }
}
