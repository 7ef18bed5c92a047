package io.holdfast.power.model;

import io.holdfast.registry.AppName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A database, what is wanted of it, and the last decision about it. */
public record Overview(DatabaseSnapshot snapshot, Optional<Decision> last, Instant now) {
    public Collection<AppName> claimants() {
        var holders = intents().claimantsAt(now);
        holders.retainAll(snapshot.linked());
        return holders;
    }

    public Collection<AppName> stopRequesters() {
        return intents().stopRequests().keySet();
    }

    public boolean shouldStop() {
        return claimants().isEmpty() && !stopRequesters().isEmpty();
    }

    /** What keeps it up. Never empty unless it is stopped. */
    public List<String> blockers() {
        if (snapshot.state().phase() == Phase.STOPPED) {
            return List.of();
        }
        if (!claimants().isEmpty()) {
            return List.of("held by starting apps: "
                    + claimants().stream().map(AppName::value).collect(Collectors.joining(", ")));
        }
        if (stopRequesters().isEmpty()) {
            return List.of("no app has asked for a stop");
        }
        return List.of(last.filter(Overview::keepsUp)
                .map(decision -> decision.result() + ": " + decision.reason())
                .orElse("it has not been looked at since a stop was asked for"));
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
