package io.holdfast.power.model;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Limits stops across all replicas: a pause switch, and a number of stops per hour.
 *
 * @param paused the reason, while stops are paused
 * @param stops the times of the stops of the last hour
 */
public record Brake(Optional<String> paused, List<Instant> stops) {
    public static final Brake OFF = new Brake(Optional.empty(), List.of());
    private static final Duration WINDOW = Duration.ofHours(1);

    public Brake {
        stops = List.copyOf(stops);
    }

    public sealed interface Permit {
        record Granted(Instant at) implements Permit {}

        record Denied(String reason) implements Permit {}
    }

    /** @param brake the state to store */
    public record Decision(Permit permit, Brake brake) {}

    public Decision ask(int max, Instant now) {
        if (paused.isPresent()) {
            return new Decision(new Permit.Denied("stops are paused: " + paused.get()), this);
        }
        var recent = new ArrayList<>(stops);
        recent.removeIf(at -> at.plus(WINDOW).isBefore(now));
        if (recent.size() >= max) {
            return new Decision(
                    new Permit.Denied(max + " databases were stopped within the last hour (max-stops-per-hour)"), this);
        }
        // A returned permit is found by its time, and stores keep milliseconds.
        var at = now.truncatedTo(ChronoUnit.MILLIS);
        recent.add(at);
        return new Decision(new Permit.Granted(at), new Brake(paused, recent));
    }

    public Brake without(Permit.Granted permit) {
        var left = new ArrayList<>(stops);
        left.remove(permit.at());
        return new Brake(paused, left);
    }
}
