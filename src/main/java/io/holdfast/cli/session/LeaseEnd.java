package io.holdfast.cli.session;

import io.holdfast.cli.output.DurationText;
import io.holdfast.http.wire.lock.LockBody;
import java.time.Duration;

/**
 * Describes when a lease ends. A renewal by the holder or by the service moves the end, so it is not named for a lease that
 * is or was renewed.
 */
final class LeaseEnd {
    private LeaseEnd() {}

    /** @param left the time until the current end */
    static String describe(LockBody lock, Duration left) {
        if (lock.autoRenewUntil() != null || Boolean.TRUE.equals(lock.heldByConnection())) {
            return "renewed automatically";
        }
        return switch ((int) Math.min(lock.renewals(), 2)) {
            case 0 -> "lease ends in %s unless renewed".formatted(DurationText.words(left));
            case 1 -> "renewed once so far";
            default -> "renewed %d times so far".formatted(lock.renewals());
        };
    }
}
