package io.holdfast.job.port;

import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireRequest;
import java.util.Optional;

/**
 * A change of the cluster's lock that {@link io.holdfast.lock.port.LockRules} has allowed. It is written together with
 * the change of the job, if the lock is still as it was seen.
 */
public sealed interface LockStep {
    LockName name();

    /** The record on which the rules decided. */
    Optional<LockRecord> seen();

    /** The record to write in its place. */
    default Optional<LockRecord> written() {
        return switch (this) {
            case Grant grant -> Optional.of(grant.after());
            case Renew renew -> Optional.of(renew.after());
            case Release release -> Optional.of(release.after());
            case Unchanged unchanged -> Optional.empty();
        };
    }

    record Grant(AcquireRequest request, Optional<LockRecord> seen, LockRecord after) implements LockStep {
        @Override
        public LockName name() {
            return request.name();
        }
    }

    record Renew(LeaseClaim claim, Optional<LockRecord> seen, LockRecord after) implements LockStep {
        @Override
        public LockName name() {
            return claim.name();
        }
    }

    /** The lock does not change, but the decision depends on it. */
    record Unchanged(LockName name, Optional<LockRecord> seen) implements LockStep {}

    record Release(LeaseClaim claim, Optional<LockRecord> seen, LockRecord after) implements LockStep {
        @Override
        public LockName name() {
            return claim.name();
        }
    }
}
