package io.holdfast.power.port;

import io.holdfast.power.model.Decision;
import io.holdfast.power.model.PendingCounts;

/** Hears of every decision, of every lock asked for, and of every pass of the reconciler. Must not block or throw. */
public interface PowerListener {
    void decided(Decision decision);

    /** @param retries how often the lock of a database was asked for again */
    void lockAsked(int retries);

    /** A pass over everything unsettled came to its end. */
    void passed(PendingCounts pending);

    /** A pass failed; nobody here knows how many databases are unsettled. */
    void passFailed();
}
