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
 * Probe results and postponed tasks of pending databases, in the memory of one replica. Losing them only delays a
 * stop or repeats a refused order. Thread-safe.
 */
@Singleton
public class ProbeHistory {
    /** After a gap between two checks of more than this multiple of {@code down-for}, the count restarts. */
    private static final int GAP_FACTOR = 2;

    private final Map<DatabaseId, Check> checks = new ConcurrentHashMap<>();
    private final Map<Postponed, Instant> postponed = new ConcurrentHashMap<>();

    /** Tasks of the reconciler that can be postponed. */
    public enum Task {
        STOP,
        START,
        RECHECK
    }

    private record Postponed(DatabaseId id, Task task) {}

    /**
     * One round of probes of all sharers of a database.
     *
     * @param downSince since when each app that is down has been down at every check
     * @param stopRequests the stop requests at the time of the check
     * @param upAgain see {@link ProbeHistory#upAgain}
     */
    private record Check(
            Instant at, Map<AppName, Instant> downSince, Map<AppName, Instant> stopRequests, Set<AppName> upAgain) {
        /** False if the app has requested a stop again since this check, after a start: its request is newer. */
        boolean hasSameStopRequest(AppName app, Map<AppName, Instant> later) {
            return stopRequests.containsKey(app) && stopRequests.get(app).equals(later.get(app));
        }
    }

    /**
     * Adds a check. Returns since when each app that is down has been down at every check. After a long gap between two
     * checks the count restarts, because the app may have been up in between.
     */
    Map<AppName, Instant> checked(DatabaseSnapshot snapshot, List<Seen> seen, Instant now, Duration downFor) {
        var stopRequests = snapshot.state().intents().stopRequests();
        var check = checks.compute(snapshot.id(), (same, before) -> {
            var known = before == null ? Map.<AppName, Instant>of() : before.downSince();
            var isContinuous = before != null
                    && !before.at().plus(downFor.multipliedBy(GAP_FACTOR)).isBefore(now);
            var since = new HashMap<AppName, Instant>();
            var upAgain = new HashSet<AppName>();
            for (var one : seen) {
                if (one.status() == AppStatus.DOWN) {
                    since.put(one.app(), isContinuous ? known.getOrDefault(one.app(), now) : now);
                } else if (one.status() == AppStatus.UP
                        && known.containsKey(one.app())
                        && before.hasSameStopRequest(one.app(), stopRequests)) {
                    upAgain.add(one.app());
                }
            }
            return new Check(now, Map.copyOf(since), stopRequests, Set.copyOf(upAgain));
        });
        return check.downSince();
    }

    /** The apps that were down at the check before the last one and up at the last one, with the same stop request. */
    public Set<AppName> upAgain(DatabaseId id) {
        var check = checks.get(id);
        return check == null ? Set.of() : check.upAgain();
    }

    /** Removes the checks of a database that another replica checks: its results are not known here. */
    public void forget(DatabaseId id) {
        checks.remove(id);
    }

    /** The reconciler skips the task until then. Requests are not affected. */
    public void postpone(DatabaseId id, Task task, Instant until) {
        postponed.put(new Postponed(id, task), until);
    }

    public boolean isPostponed(DatabaseId id, Task task, Instant now) {
        var until = postponed.get(new Postponed(id, task));
        return until != null && now.isBefore(until);
    }

    /** Forgets all other databases. */
    public void retainOnly(Collection<DatabaseId> ids) {
        checks.keySet().retainAll(ids);
        postponed.keySet().removeIf(one -> !ids.contains(one.id()));
    }
}
