package io.holdfast.cli.session;

import io.holdfast.cli.output.DurationText;
import io.holdfast.http.wire.lock.LockBody;
import java.time.Duration;

/**
 * Says when a lease ends, as far as the service can tell. A lease that is renewed by its holder, by a connection or by
 * the service may last longer than its present end.
 */
final class LeaseEnd {
    private LeaseEnd() {}

    /** @param left until its present end */
    static String words(LockBody lock, Duration left) {
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
