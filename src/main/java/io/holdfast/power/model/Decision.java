package io.holdfast.power.model;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One decision about one database: a row of the audit, and part of the response to a stop or a start.
 *
 * @param reason for people
 */
public record Decision(DatabaseId database, String type, Result result, String reason, Evidence evidence, By by) {
    public enum Result {
        STOPPED,
        STOPPING,
        ALREADY_STOPPED,
        WOULD_STOP,
        SKIPPED_SHARED_ACTIVE,
        SKIPPED_UNKNOWN,
        SKIPPED_LOCK,
        SKIPPED_DISABLED,
        SKIPPED_CHANGED,
        STOP_FAILED,
        STOP_STUCK,
        RUNNING,
        STARTED,
        STARTING,
        START_FAILED
    }

    /** A copy with at most {@code sharersMax} sharers. Sharers that are not down come first. */
    public Decision withAtMost(int sharersMax) {
        if (evidence.sharers().size() <= sharersMax) {
            return this;
        }
        var kept = evidence.sharers().stream()
                .sorted(Comparator.comparing(one -> one.status() == AppStatus.DOWN))
                .limit(sharersMax)
                .toList();
        return new Decision(database, type, result, reason, new Evidence(kept, evidence.token(), evidence.epoch()), by);
    }

    /**
     * @param sharers the probed apps
     * @param token of the lock under which the decision was made, if any
     * @param epoch of the database after the decision
     */
    public record Evidence(List<Seen> sharers, Optional<FencingToken> token, long epoch) {
        public static final Evidence NONE = new Evidence(List.of(), Optional.empty(), 0);

        public Evidence {
            sharers = List.copyOf(sharers);
        }
    }

    public record Seen(AppName app, AppStatus status, Optional<Integer> httpCode, String detail) {}

    /** @param app the calling app; empty for a decision of the reconciler */
    public record By(Optional<AppName> app, Instant at, Duration took) {}
}
