package io.holdfast.power;

import io.holdfast.power.AppProbe.Status;
import io.holdfast.power.Decision.Seen;
import io.holdfast.power.Stopper.Verdict;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one replica remembers of the databases that it looks at again and again. Nothing depends on it being there:
 * without it a stop comes later, and a decision is written down once more. Safe for concurrent use.
 */
@Singleton
class Watch {
    private final Map<DatabaseId, Look> looks = new ConcurrentHashMap<>();
    private final Map<DatabaseId, Said> said = new ConcurrentHashMap<>();

    private record Look(Instant at, Map<AppName, Instant> downSince) {}

    private record Said(Decision.What what, String reason, long epoch) {}

    /**
     * Since when each app that is down has been seen down at every look. A look that comes more than {@code gapMax}
     * after the one before begins anew: nobody knows what was in between.
     */
    Map<AppName, Instant> downSince(DatabaseId id, List<Seen> seen, Instant now, Duration gapMax) {
        var look = looks.compute(id, (same, before) -> {
            var known = before == null || before.at().plus(gapMax).isBefore(now)
                    ? Map.<AppName, Instant>of()
                    : before.downSince();
            var since = new HashMap<AppName, Instant>();
            for (var one : seen) {
                if (one.status() == Status.DOWN) {
                    since.put(one.app(), known.getOrDefault(one.app(), now));
                }
            }
            return new Look(now, Map.copyOf(since));
        });
        return look.downSince();
    }

    /** Whether this is another verdict than the last one about the database. */
    boolean isNews(DatabaseId id, Verdict verdict) {
        var now = new Said(verdict.what(), verdict.reason(), verdict.evidence().epoch());
        return !now.equals(said.put(id, now));
    }

    /** Forgets all the others. */
    void keepOnly(Collection<DatabaseId> ids) {
        looks.keySet().retainAll(ids);
        said.keySet().retainAll(ids);
    }
}
