package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import java.time.Duration;
import java.util.Map;

/** Receives the steps of services, after they were carried out. Must not block or throw. */
public interface LifecycleListener {
    /** A move was written. */
    void moved(Move move);

    /** A request was refused, and nothing was changed. */
    void refused(ServiceId service, Writer by, WriteOutcome outcome);

    /** @param tries how often the lock was asked for */
    void lockAcquired(ServiceId service, int tries, Duration waited);

    void lockExtended(ServiceId service, Duration ttl);

    void lockReleased(ServiceId service, Duration held);

    /** The lock was held in all tries. The write was skipped. */
    void lockNotAcquired(ServiceId service, Writer by, int tries, Duration waited);

    /** The lease was over before the write. The write was skipped. */
    void lockLost(ServiceId service, Writer by);

    /** What was seen differs from the status, and the repair was not made. */
    void notRepaired(ServiceId service, Observation seen, NoRepair reason);

    /** A pass of the reconciler is complete. */
    void passed(Counts counts);

    /** The number of services is unknown at this replica: another one counts, or the pass did not complete. */
    void notCounted(NoCount reason);

    /** Why a repair was not made. */
    enum NoRepair {
        LOCK_HELD,
        LOCK_LOST,
        /** Another writer has changed the status since the service was observed. */
        STATUS_CHANGED,
        REMOVED,
        /** The process was paused after it had looked. Meanwhile the service may have changed. */
        OBSERVED_TOO_LONG_AGO,
        /** Another replica is the leader by now, or it is not known whether this one still is. */
        NOT_ELECTED,
        /** The status does not allow it. */
        ILLEGAL
    }

    /** Why a pass of the reconciler has no counts. */
    enum NoCount {
        /** Another replica counts. */
        NOT_ELECTED,
        PAUSED,
        /** The lock was lost, the clock is suspect, the reconciler was paused, or the service shuts down. */
        INTERRUPTED,
        FAILED
    }

    /**
     * All services, as one pass has seen them.
     *
     * @param overdue services whose deployment is past its deadline, and whose status could not be repaired
     * @param unknown services that could not be observed
     */
    record Counts(Map<ServiceStatus, Integer> byStatus, int overdue, int unknown, int repaired) {}
}
