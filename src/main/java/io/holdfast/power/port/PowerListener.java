package io.holdfast.power.port;

import io.holdfast.power.model.Decision;
import io.holdfast.power.model.PendingCounts;

/** Receives decisions, lock acquisitions and passes of the reconciler. Must not block or throw. */
public interface PowerListener {
    void decided(Decision decision);

    /** @param retries how often the acquisition of the lock of a database was retried */
    void lockAsked(int retries);

    /** A pass over the pending databases is complete. */
    void passed(PendingCounts pending);

    /** A pass failed; the number of pending databases is unknown. */
    void passFailed();
}
