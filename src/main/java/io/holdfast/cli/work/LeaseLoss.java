package io.holdfast.cli.work;

/**
 * Why a handler must not run on.
 *
 * @param sentence for the user
 */
record LeaseLoss(Cause cause, String sentence) {
    enum Cause {
        /** The service says that the worker no longer runs the job. It accepts no report. */
        STALE,
        /** The service has not confirmed the lease in time. */
        UNCONFIRMED,
        /** The run has reached its deadline, beyond which heartbeats do not extend the lease. */
        DEADLINE
    }
}
