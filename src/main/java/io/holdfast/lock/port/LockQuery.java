package io.holdfast.lock.port;

import io.holdfast.kernel.Cursor;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import java.time.Instant;
import java.util.Optional;

/**
 * Which locks to list.
 *
 * @param bounds a page ends at the first of its two limits
 * @param after the end of the previous page
 */
public record LockQuery(Filter filter, Bounds bounds, Optional<Cursor> after) {

    public record Bounds(int limit, int examinedMax) {}

    public record Filter(
            Optional<LockStatus> status, Optional<String> prefix, Optional<Owner> owner, Optional<LockType> type) {
        public static final Filter ALL =
                new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        public boolean matches(LockRecord record, Instant now) {
            return status.map(wanted -> wanted == listed(record.statusAt(now))).orElse(true)
                    && prefix.map(record.name().value()::startsWith).orElse(true)
                    && owner.map(record.lease().owner()::isSameAs).orElse(true)
                    && type.map(wanted -> wanted == record.lease().labels().type())
                            .orElse(true);
        }

        /** A lock in its lock delay has no holder, so it is listed as released. */
        private static LockStatus listed(LockStatus status) {
            return status == LockStatus.RELEASING ? LockStatus.RELEASED : status;
        }
    }
}
