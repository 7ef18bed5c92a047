package io.holdfast.lock.queue;

import io.holdfast.kernel.Durations;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The pause between two reads of a lock: short after a change, then longer up to {@code poll-max}. */
final class PollBackoff {
    /** Added to a computed time, because timers have a resolution of one millisecond. */
    private static final Duration TIMER_RESOLUTION = Duration.ofMillis(1);

    private final WaitConfig config;
    private final Duration maxClockSkew;
    private Duration pause;

    PollBackoff(WaitConfig config, Duration maxClockSkew) {
        this.config = config;
        this.maxClockSkew = maxClockSkew;
        this.pause = config.pollMin();
    }

    void reset() {
        pause = config.pollMin();
    }

    /**
     * The pause before the next poll. If the first waiter here is behind the head of the queue, it is
     * {@code poll-max}. It ends at the latest when the lock can be granted without a release.
     */
    Duration next(Waiter first, Optional<LockRecord> last, Instant now) {
        var bound = first.isHead() ? pause : config.pollMax();
        pause = Durations.min(pause.multipliedBy(3).dividedBy(2), config.pollMax());
        var millis = bound.toMillis();
        var jittered = Duration.ofMillis(
                millis - millis / 4 + ThreadLocalRandom.current().nextLong(millis / 4 + 1));
        return last.map(record -> Duration.between(now, grantableAt(first, record, now)))
                .filter(Duration::isPositive)
                .map(untilGrantable -> Durations.min(untilGrantable.plus(TIMER_RESOLUTION), jittered))
                .orElse(jittered);
    }

    /** When the lock can be granted without a release: the lease and all earlier tickets have expired. */
    private Instant grantableAt(Waiter first, LockRecord record, Instant now) {
        var free = record.end()
                .map(end -> end.closedUntil().orElse(now))
                .orElseGet(() -> record.lease().expiresAt().plus(maxClockSkew));
        return record.queue().aliveAt(now).tickets().stream()
                .takeWhile(ticket -> !ticket.is(first.request().ref()))
                .map(Ticket::deadline)
                .filter(free::isBefore)
                .max(Instant::compareTo)
                .orElse(free);
    }
}
