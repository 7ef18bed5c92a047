package io.holdfast.power.action;

import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision.Seen;
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
public class ProbeHistory {
    /** How many times the wanted span may lie between two looks that belong together. */
    private static final int GAPS = 2;

    private final Map<DatabaseId, Check> checks = new ConcurrentHashMap<>();
    private final Map<Rest, Instant> resting = new ConcurrentHashMap<>();

    /** What need not be tried for a while. */
    public enum Chore {
        STOP,
        START,
        RECHECK
    }

    private record Rest(DatabaseId id, Chore chore) {}

    /** @param stopRequests the stop requests that were there when the apps were looked at */
    private record Check(
            Instant at, Map<AppName, Instant> downSince, Map<AppName, Instant> stopRequests, Set<AppName> back) {
        /** An app that started since then and asked for a stop again has a newer request. */
        boolean knewStopRequest(AppName app, Map<AppName, Instant> later) {
            return stopRequests.containsKey(app) && stopRequests.get(app).equals(later.get(app));
        }
    }

    /**
     * Since when each app that is down has been seen down at every look. A look long after the one before begins anew:
     * nobody knows what was in between.
     */
    Map<AppName, Instant> checked(DatabaseSnapshot snapshot, List<Seen> seen, Instant now, Duration span) {
        var wishes = snapshot.state().intents().stopRequests();
        var check = checks.compute(snapshot.id(), (same, before) -> {
            var known = before == null ? Map.<AppName, Instant>of() : before.downSince();
            var close =
                    before != null && !before.at().plus(span.multipliedBy(GAPS)).isBefore(now);
            var since = new HashMap<AppName, Instant>();
            var back = new HashSet<AppName>();
            for (var one : seen) {
                if (one.status() == AppStatus.DOWN) {
                    since.put(one.app(), close ? known.getOrDefault(one.app(), now) : now);
                } else if (one.status() == AppStatus.UP
                        && known.containsKey(one.app())
                        && before.knewStopRequest(one.app(), wishes)) {
                    back.add(one.app());
                }
            }
            return new Check(now, Map.copyOf(since), wishes, Set.copyOf(back));
        });
        return check.downSince();
    }

    /** The apps that were down with a stop request at the look before the last one, and up with it at the last. */
    public Set<AppName> backUp(DatabaseId id) {
        var check = checks.get(id);
        return check == null ? Set.of() : check.back();
    }

    /** Somebody else is at work there, and sees what we do not. */
    public void lost(DatabaseId id) {
        checks.remove(id);
    }

    /** The chore is not tried there until then, unless somebody asks. */
    public void rest(DatabaseId id, Chore chore, Instant until) {
        resting.put(new Rest(id, chore), until);
    }

    public boolean rests(DatabaseId id, Chore chore, Instant now) {
        var until = resting.get(new Rest(id, chore));
        return until != null && now.isBefore(until);
    }

    /** Forgets all the others. */
    public void retainOnly(Collection<DatabaseId> ids) {
        checks.keySet().retainAll(ids);
        resting.keySet().removeIf(rest -> !ids.contains(rest.id()));
    }
}
