package io.holdfast.job.model;

import io.holdfast.kernel.InvalidInputException;
import java.util.Arrays;

public enum JobStatus {
    /** In the queue of its cluster, and not started yet. */
    QUEUED,
    RUNNING,
    /** An attempt has failed, and the next one is due later. The cluster stays in the status of this job. */
    WAITING,
    SUCCEEDED,
    /** Ended without success, and not to be retried. */
    FAILED,
    CANCELLED,
    /** All attempts have failed. An operator may retry it. */
    DEAD;

    /** Parses the status in a request. */
    public static JobStatus of(String field, String text) {
        return Arrays.stream(values())
                .filter(status -> status.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(field, "one of " + Arrays.toString(values())));
    }

    public boolean isEnded() {
        return this == SUCCEEDED || this == FAILED || this == CANCELLED || this == DEAD;
    }

    /** Whether the job has a place in the queue of its cluster. */
    public boolean isActive() {
        return !isEnded();
    }
}
