package io.holdfast.job.dispatch;

import java.time.Duration;

/**
 * @param pollEvery how often a replica looks for work while workers wait at it
 * @param waitingMax the most workers that wait at one replica
 */
public record DispatchTerms(Duration pollEvery, int waitingMax) {
    /** The setting that bounds the waiting workers. */
    public static final String WAITING_MAX = "holdfast.jobs.waiting-max";
}
