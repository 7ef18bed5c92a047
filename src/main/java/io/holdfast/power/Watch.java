package io.holdfast.power;

import io.holdfast.power.AppProbe.Status;
import io.holdfast.power.Decision.Seen;
import io.holdfast.power.Decision.What;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one replica remembers of the databases that it looks at again and again. Nothing depends on it being there:
 * without it a stop comes later, and a decision is written down once more. Safe for concurrent use.
 */
@Singleton
class Watch {
    /** How many times the wanted span may lie between two looks that belong together. */
    private static final int GAPS = 2;

    private static final Set<What> CHANGES = EnumSet.of(What.STOPPED, What.STOP_STUCK, What.STARTED, What.RUNNING);

    private final Map<DatabaseId, Look> looks = new ConcurrentHashMap<>();
    private final Map<DatabaseId, Said> said = new ConcurrentHashMap<>();
    private final Map<Rest, Instant> resting = new ConcurrentHashMap<>();

    /** What need not be tried for a while. */
    enum Chore {
        STOP,
        START,
        RECHECK
    }

    private record Rest(DatabaseId id, Chore chore) {}

    private record Look(Instant at, Map<AppName, Instant> downSince, Set<AppName> back) {}

    private record Said(What what, String reason) {}

    /**
     * Since when each app that is down has been seen down at every look. A look long after the one before begins anew:
     * nobody knows what was in between.
     */
    Map<AppName, Instant> looked(DatabaseId id, List<Seen> seen, Instant now, Duration span) {
        var look = looks.compute(id, (same, before) -> {
            var known = before == null ? Map.<AppName, Instant>of() : before.downSince();
            var close =
                    before != null && !before.at().plus(span.multipliedBy(GAPS)).isBefore(now);
            var since = new HashMap<AppName, Instant>();
            var back = new HashSet<AppName>();
            for (var one : seen) {
                if (one.status() == Status.DOWN) {
                    since.put(one.app(), close ? known.getOrDefault(one.app(), now) : now);
                } else if (one.status() == Status.UP && known.containsKey(one.app())) {
                    back.add(one.app());
                }
            }
            return new Look(now, Map.copyOf(since), Set.copyOf(back));
        });
        return look.downSince();
    }

    /** The apps that were down at the look before the last one, and up at the last. */
    Set<AppName> backUp(DatabaseId id) {
        var look = looks.get(id);
        return look == null ? Set.of() : look.back();
    }

    /** Somebody else is at work there, and sees what we do not. */
    void lost(DatabaseId id) {
        looks.remove(id);
    }

    /** Whether this is another verdict than the last one about the database, or says that something has changed. */
    boolean isNews(DatabaseId id, Verdict verdict) {
        var now = new Said(verdict.what(), verdict.reason());
        return !now.equals(said.put(id, now)) || CHANGES.contains(verdict.what());
    }

    /** The chore is not tried there until then, unless somebody asks. */
    void rest(DatabaseId id, Chore chore, Instant until) {
        resting.put(new Rest(id, chore), until);
    }

    boolean rests(DatabaseId id, Chore chore, Instant now) {
        var until = resting.get(new Rest(id, chore));
        return until != null && now.isBefore(until);
    }

    /** Forgets all the others. */
    void keepOnly(Collection<DatabaseId> ids) {
        looks.keySet().retainAll(ids);
        said.keySet().retainAll(ids);
        resting.keySet().removeIf(rest -> !ids.contains(rest.id()));
    }
}
