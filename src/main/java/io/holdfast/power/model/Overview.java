package io.holdfast.power.model;

import io.holdfast.registry.AppName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A database, the intents of its apps, and the last decision about it. */
public record Overview(DatabaseSnapshot snapshot, Optional<Decision> last, Instant now) {
    public Collection<AppName> claimants() {
        var claimants = intents().claimantsAt(now);
        claimants.retainAll(snapshot.linked());
        return claimants;
    }

    public Collection<AppName> stopRequesters() {
        return intents().stopRequests().keySet();
    }

    public boolean shouldStop() {
        return claimants().isEmpty() && !stopRequesters().isEmpty();
    }

    /** Why the database is not stopped. Empty only if it is stopped. */
    public List<String> blockers() {
        if (snapshot.state().phase() == Phase.STOPPED) {
            return List.of();
        }
        if (!claimants().isEmpty()) {
            return List.of("claimed by starting apps: "
                    + claimants().stream().map(AppName::value).collect(Collectors.joining(", ")));
        }
        if (stopRequesters().isEmpty()) {
            return List.of("no app has requested a stop");
        }
        return List.of(last.filter(Overview::keepsUp)
                .map(decision -> decision.result() + ": " + decision.reason())
                .orElse("not checked since a stop was requested"));
    }

    private static boolean keepsUp(Decision decision) {
        return switch (decision.result()) {
            case SKIPPED_SHARED_ACTIVE, SKIPPED_UNKNOWN, SKIPPED_LOCK, SKIPPED_DISABLED, SKIPPED_CHANGED -> true;
            case STOPPING, STOP_FAILED, STOP_STUCK, STARTING, START_FAILED -> true;
            case STOPPED, ALREADY_STOPPED, WOULD_STOP, RUNNING, STARTED -> false;
        };
    }

    private PowerState.Intents intents() {
        return snapshot.state().intents();
    }
}
