package io.holdfast.power;

import io.holdfast.registry.AppName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A database, what is wanted of it, and the last decision about it. */
public record Overview(Situation situation, Optional<Decision> last, Instant now) {
    public Collection<AppName> holders() {
        var holders = intents().holdersAt(now);
        holders.retainAll(situation.linked());
        return holders;
    }

    public Collection<AppName> wishers() {
        return intents().wishes().keySet();
    }

    public boolean shouldStop() {
        return holders().isEmpty() && !wishers().isEmpty();
    }

    /** What keeps it up. Never empty unless it is stopped. */
    public List<String> blockers() {
        if (situation.state().phase() == Phase.STOPPED) {
            return List.of();
        }
        if (!holders().isEmpty()) {
            return List.of("held by starting apps: "
                    + holders().stream().map(AppName::value).collect(Collectors.joining(", ")));
        }
        if (wishers().isEmpty()) {
            return List.of("no app has asked for a stop");
        }
        return List.of(last.filter(Overview::keepsUp)
                .map(decision -> decision.what() + ": " + decision.reason())
                .orElse("it has not been looked at since a stop was asked for"));
    }

    private static boolean keepsUp(Decision decision) {
        return switch (decision.what()) {
            case SKIPPED_SHARED_ACTIVE, SKIPPED_UNKNOWN, SKIPPED_LOCK, SKIPPED_DISABLED, SKIPPED_CHANGED -> true;
            case STOPPING, STOP_FAILED, STOP_STUCK, STARTING, START_FAILED -> true;
            case STOPPED, ALREADY_STOPPED, WOULD_STOP, RUNNING, STARTED -> false;
        };
    }

    private PowerState.Intents intents() {
        return situation.state().intents();
    }
}
