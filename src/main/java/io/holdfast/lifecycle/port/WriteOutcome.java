package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lock.port.AcquireOutcome;
import java.util.Optional;

/** The result of a request to change the status of a service. */
public sealed interface WriteOutcome {
    /** @param service after the change; as it was before, if it was removed */
    record Written(Service service) implements WriteOutcome {}

    /** An earlier try of the same request has made the change. */
    record WrittenBefore(Service service) implements WriteOutcome {}

    record NoSuchService() implements WriteOutcome {}

    record Illegal(Service service, ServiceStatus to) implements WriteOutcome {}

    /**
     * A deployment that is not the latest, or the result of one that is not the latest or that another writer has ended.
     */
    record StaleEpoch(Service service) implements WriteOutcome {}

    /** The caller, or this request, has seen an older version than this one. */
    record VersionConflict(Service service) implements WriteOutcome {}

    /**
     * The lock of the service was held in all tries, or was lost before the write.
     *
     * @param lock why the last try was refused; absent if the lock was lost
     */
    record NotLocked(Optional<AcquireOutcome> lock, int tries) implements WriteOutcome {}
}
