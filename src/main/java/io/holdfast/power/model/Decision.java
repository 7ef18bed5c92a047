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
 * One decision about one database, with what it rests on. A row of the audit, and a part of the answer to a stop or a
 * start.
 *
 * @param result what became of it
 * @param reason in words
 * @param evidence what was seen
 * @param by who asked
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

    /** The same with no more than so many sharers. Those that were not down come first. */
    public Decision withAtMost(int sharersMax) {
        if (evidence.sharers().size() <= sharersMax) {
            return this;
        }
        var telling = evidence.sharers().stream()
                .sorted(Comparator.comparing(one -> one.status() == AppStatus.DOWN))
                .limit(sharersMax)
                .toList();
        return new Decision(
                database, type, result, reason, new Evidence(telling, evidence.token(), evidence.epoch()), by);
    }

    /**
     * @param sharers each app that counted, and how it was seen
     * @param token of the lock under which it was decided, if there was one
     * @param epoch of the database, after the decision
     */
    public record Evidence(List<Seen> sharers, Optional<FencingToken> token, long epoch) {
        public static final Evidence NONE = new Evidence(List.of(), Optional.empty(), 0);

        public Evidence {
            sharers = List.copyOf(sharers);
        }
    }

    public record Seen(AppName app, AppStatus status, Optional<Integer> httpCode, String detail) {}

    /** @param app none when the reconciler looked again by itself */
    public record By(Optional<AppName> app, Instant at, Duration took) {}
}
