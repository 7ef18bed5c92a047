package io.holdfast.power;

import io.holdfast.power.AppProbe.Status;
import io.holdfast.power.Decision.Seen;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one replica remembers of the databases that it looks at again and again. Nothing depends on it being there:
 * without it a stop comes later. Safe for concurrent use.
 */
@Singleton
class Watch {
    /** How many times the wanted span may lie between two looks that belong together. */
    private static final int GAPS = 2;

    private final Map<DatabaseId, Look> looks = new ConcurrentHashMap<>();
    private final Map<Rest, Instant> resting = new ConcurrentHashMap<>();

    /** What need not be tried for a while. */
    enum Chore {
        STOP,
        START,
        RECHECK
    }

    private record Rest(DatabaseId id, Chore chore) {}

    /** @param wishes the stop requests that were there when the apps were looked at */
    private record Look(Instant at, Map<AppName, Instant> downSince, Map<AppName, Instant> wishes, Set<AppName> back) {
        /** An app that started since then and asked for a stop again has a newer request. */
        boolean knewWish(AppName app, Map<AppName, Instant> later) {
            return wishes.containsKey(app) && wishes.get(app).equals(later.get(app));
        }
    }

    /**
     * Since when each app that is down has been seen down at every look. A look long after the one before begins anew:
     * nobody knows what was in between.
     */
    Map<AppName, Instant> looked(Situation situation, List<Seen> seen, Instant now, Duration span) {
        var wishes = situation.state().intents().wishes();
        var look = looks.compute(situation.id(), (same, before) -> {
            var known = before == null ? Map.<AppName, Instant>of() : before.downSince();
            var close =
                    before != null && !before.at().plus(span.multipliedBy(GAPS)).isBefore(now);
            var since = new HashMap<AppName, Instant>();
            var back = new HashSet<AppName>();
            for (var one : seen) {
                if (one.status() == Status.DOWN) {
                    since.put(one.app(), close ? known.getOrDefault(one.app(), now) : now);
                } else if (one.status() == Status.UP
                        && known.containsKey(one.app())
                        && before.knewWish(one.app(), wishes)) {
                    back.add(one.app());
                }
            }
            return new Look(now, Map.copyOf(since), wishes, Set.copyOf(back));
        });
        return look.downSince();
    }

    /** The apps that were down with a stop request at the look before the last one, and up with it at the last. */
    Set<AppName> backUp(DatabaseId id) {
        var look = looks.get(id);
        return look == null ? Set.of() : look.back();
    }

    /** Somebody else is at work there, and sees what we do not. */
    void lost(DatabaseId id) {
        looks.remove(id);
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
        resting.keySet().removeIf(rest -> !ids.contains(rest.id()));
    }
}
