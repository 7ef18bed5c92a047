package io.holdfast.job.port;

import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * A change of the cluster's lock that {@link io.holdfast.lock.port.LockRules} has allowed. It is written together with
 * the change of the job, if the lock is still as it was seen.
 */
public sealed interface LockStep {
    LockName name();

    /** The record on which the rules decided. */
    Optional<LockRecord> seen();

    LockRecord after();

    record Grant(AcquireRequest request, Optional<LockRecord> seen, LockRecord after) implements LockStep {
        @Override
        public LockName name() {
            return request.name();
        }
    }

    record Renew(LeaseClaim claim, Duration ttl, Optional<LockRecord> seen, LockRecord after) implements LockStep {
        @Override
        public LockName name() {
            return claim.name();
        }
    }

    record Release(LeaseClaim claim, Optional<LockRecord> seen, LockRecord after) implements LockStep {
        @Override
        public LockName name() {
            return claim.name();
        }
    }
}
