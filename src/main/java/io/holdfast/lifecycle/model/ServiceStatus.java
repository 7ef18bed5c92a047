package io.holdfast.lifecycle.model;

import io.holdfast.kernel.InvalidInputException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The status of a service, and the table of its legal moves. */
public enum ServiceStatus {
    /** Registered, and never deployed. */
    IDLE,
    /** A deployment is under way. */
    DEPLOYING,
    RUNNING,
    /** Deployed, and not running. */
    STOPPED,
    /** The latest deployment has failed, and nothing runs. */
    FAILED,
    /** Restarts again and again. */
    CRASHING;

    /** Parses the status in a request. */
    public static ServiceStatus of(String field, String text) {
        return Arrays.stream(values())
                .filter(status -> status.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(field, "one of " + Arrays.toString(values())));
    }

    /** The statuses that a caller may move a service to from this one. The reconciler may make other moves. */
    public Set<ServiceStatus> allowed() {
        return Collections.unmodifiableSet(
                switch (this) {
                    case IDLE -> EnumSet.of(DEPLOYING);
                    case DEPLOYING -> EnumSet.of(RUNNING, STOPPED, FAILED);
                    case RUNNING -> EnumSet.of(DEPLOYING, STOPPED, FAILED, CRASHING);
                    case STOPPED -> EnumSet.of(DEPLOYING, RUNNING);
                    case FAILED -> EnumSet.of(DEPLOYING, RUNNING, STOPPED);
                    case CRASHING -> EnumSet.of(DEPLOYING, RUNNING, STOPPED, FAILED);
                });
    }

    public boolean canMoveTo(ServiceStatus to) {
        return allowed().contains(to);
    }
}
