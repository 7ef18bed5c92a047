package io.holdfast.power.model;

import io.holdfast.kernel.Settings;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Decision.Seen;
import io.holdfast.registry.AppName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Decides whether a database may be stopped now. A pure function: state, probe results and time are arguments. */
public final class StopPolicy {
    /** Limit of app names in a reason. The evidence names all apps. */
    private static final int NAMED_MAX = 20;

    private StopPolicy() {}

    /**
     * @param seen the probe results of all sharers except the app that requests the stop. A start claim of that app
     *     still counts: its stop request removed the earlier claim, so this claim is newer
     */
    public record Question(DatabaseSnapshot snapshot, List<Seen> seen, Thresholds patience, Instant now) {}

    /**
     * @param minUpTime how long a started database is not stopped
     * @param downFor how long an app without a stop request must have been down
     * @param downSince since when each app has been down without interruption; an app that is not in it, since now
     */
    public record Thresholds(Duration minUpTime, Duration downFor, Map<AppName, Instant> downSince) {
        public static final Thresholds NONE = new Thresholds(Duration.ZERO, Duration.ZERO, Map.of());
    }

    public sealed interface Choice {
        record Stop(String reason) implements Choice {}

        record Skip(Result result, String reason) implements Choice {}
    }

    /** Checks every reason to keep the database running before it allows a stop. UNKNOWN is such a reason. */
    public static Choice decide(Question question) {
        var claimants = new TreeSet<>(question.snapshot().state().intents().claimantsAt(question.now()));
        claimants.retainAll(question.snapshot().linked());
        if (!claimants.isEmpty()) {
            return new Choice.Skip(Result.SKIPPED_SHARED_ACTIVE, "shared with starting apps: " + names(claimants));
        }
        var up = withStatus(question.seen(), AppStatus.UP);
        if (!up.isEmpty()) {
            return new Choice.Skip(Result.SKIPPED_SHARED_ACTIVE, "shared with active apps: " + names(up));
        }
        var unknown = withStatus(question.seen(), AppStatus.UNKNOWN);
        if (!unknown.isEmpty()) {
            return new Choice.Skip(Result.SKIPPED_UNKNOWN, "status unknown, which counts as up: " + names(unknown));
        }
        var notDownLongEnough = notDownLongEnough(question);
        if (!notDownLongEnough.isEmpty()) {
            return new Choice.Skip(
                    Result.SKIPPED_UNKNOWN,
                    "down for less than " + Settings.text(question.patience().downFor())
                            + " and without a stop request: " + names(notDownLongEnough));
        }
        var state = question.snapshot().state();
        var upSince = state.since();
        var minUpTime = question.patience().minUpTime();
        if (state.phase() == Phase.RUNNING && upSince.plus(minUpTime).isAfter(question.now())) {
            return new Choice.Skip(
                    Result.SKIPPED_DISABLED, "started at " + upSince + ", less than the minimum up time ago");
        }
        return new Choice.Stop(
                question.seen().isEmpty()
                        ? "no other app uses it"
                        : "all sharing apps are down: " + names(appsOf(question.seen())));
    }

    /** A restarting app looks like a stopped one, so an app without a stop request must be down for longer. */
    private static Set<AppName> notDownLongEnough(Question question) {
        var patience = question.patience();
        var stopRequests = question.snapshot().state().intents().stopRequests();
        var apps = appsOf(question.seen());
        apps.removeIf(app -> stopRequests.containsKey(app)
                || !patience.downSince()
                        .getOrDefault(app, question.now())
                        .plus(patience.downFor())
                        .isAfter(question.now()));
        return apps;
    }

    private static Set<AppName> withStatus(List<Seen> seen, AppStatus status) {
        return appsOf(seen.stream().filter(one -> one.status() == status).toList());
    }

    private static Set<AppName> appsOf(List<Seen> seen) {
        return seen.stream().map(Seen::app).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String names(Set<AppName> apps) {
        var named = apps.stream().limit(NAMED_MAX).map(AppName::value).collect(Collectors.joining(", "));
        return apps.size() > NAMED_MAX ? named + " and " + (apps.size() - NAMED_MAX) + " more" : named;
    }
}
