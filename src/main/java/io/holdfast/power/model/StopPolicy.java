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

/** Whether a database may be stopped now. Pure: what was seen comes in, what to do and why comes out. */
public final class StopPolicy {
    /** A reason is read by people; the evidence names all of them. */
    private static final int NAMED_MAX = 20;

    private StopPolicy() {}

    /**
     * @param situation what is stored
     * @param seen how each sharer that counts was seen. The app that asks to stop is not among them, yet a hold of its
     *     own counts: it took the hold back when it asked, so this is a newer one
     */
    public record Question(DatabaseSnapshot situation, List<Seen> seen, Patience patience, Instant now) {}

    /**
     * @param minUpTime how long a database that was started is left alone
     * @param downFor how long an app that has not asked to stop must have been down
     * @param downSince since when each app has been seen down; one that is missing was not seen down before
     */
    public record Patience(Duration minUpTime, Duration downFor, Map<AppName, Instant> downSince) {
        public static final Patience NONE = new Patience(Duration.ZERO, Duration.ZERO, Map.of());
    }

    public sealed interface Verdict {
        record Stop(String reason) implements Verdict {}

        record Skip(Result result, String reason) implements Verdict {}
    }

    /**
     * Anything that keeps the database up comes before anything that lets it go, and what is not known keeps it up.
     */
    public static Verdict decide(Question question) {
        var holders = new TreeSet<>(question.situation().state().intents().claimantsAt(question.now()));
        holders.retainAll(question.situation().linked());
        if (!holders.isEmpty()) {
            return new Verdict.Skip(Result.SKIPPED_SHARED_ACTIVE, "shared with starting apps: " + names(holders));
        }
        var up = withStatus(question.seen(), AppStatus.UP);
        if (!up.isEmpty()) {
            return new Verdict.Skip(Result.SKIPPED_SHARED_ACTIVE, "shared with active apps: " + names(up));
        }
        var unknown = withStatus(question.seen(), AppStatus.UNKNOWN);
        if (!unknown.isEmpty()) {
            return new Verdict.Skip(
                    Result.SKIPPED_UNKNOWN, "not known to be down, which counts as up: " + names(unknown));
        }
        var restless = notDownForLong(question);
        if (!restless.isEmpty()) {
            return new Verdict.Skip(
                    Result.SKIPPED_UNKNOWN,
                    "down for less than " + Settings.text(question.patience().downFor())
                            + " without having asked to stop: " + names(restless));
        }
        var state = question.situation().state();
        var upSince = state.since();
        var minUpTime = question.patience().minUpTime();
        if (state.phase() == Phase.RUNNING && upSince.plus(minUpTime).isAfter(question.now())) {
            return new Verdict.Skip(
                    Result.SKIPPED_DISABLED, "started at " + upSince + ", less than the minimum up time ago");
        }
        return new Verdict.Stop(
                question.seen().isEmpty()
                        ? "no other app uses it"
                        : "all sharing apps are down: " + names(appsOf(question.seen())));
    }

    /** An app that only restarts answers like one that is down. Nobody asked to stop it. */
    private static Set<AppName> notDownForLong(Question question) {
        var patience = question.patience();
        var wishes = question.situation().state().intents().stopRequests();
        var apps = appsOf(question.seen());
        apps.removeIf(app -> wishes.containsKey(app)
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
