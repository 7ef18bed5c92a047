package io.holdfast.lock.queue;

import io.holdfast.kernel.Durations;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before looking at a lock again: shortly after something has changed, then less and less often. */
final class PollBackoff {
    private static final Duration GRAIN = Duration.ofMillis(1);

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

    /** Those behind the head look rarely. Nobody sleeps past the moment at which the lock may become theirs by itself. */
    Duration next(Waiter foremost, Optional<LockRecord> last, Instant now) {
        var bound = foremost.isHead() ? pause : config.pollMax();
        pause = Durations.min(pause.multipliedBy(3).dividedBy(2), config.pollMax());
        var millis = bound.toMillis();
        var jittered = Duration.ofMillis(
                millis - millis / 4 + ThreadLocalRandom.current().nextLong(millis / 4 + 1));
        return last.map(record -> Duration.between(now, turnOf(foremost, record, now)))
                .filter(Duration::isPositive)
                .map(untilTurn -> Durations.min(untilTurn.plus(GRAIN), jittered))
                .orElse(jittered);
    }

    /** When it is the foremost's turn if nobody does anything until then. */
    private Instant turnOf(Waiter foremost, LockRecord record, Instant now) {
        var free = record.end()
                .map(end -> end.closedUntil().orElse(now))
                .orElseGet(() -> record.lease().expiresAt().plus(maxClockSkew));
        return record.queue().aliveAt(now).tickets().stream()
                .takeWhile(ticket -> !ticket.is(foremost.request().ref()))
                .map(Ticket::deadline)
                .filter(free::isBefore)
                .max(Instant::compareTo)
                .orElse(free);
    }
}
