package io.holdfast.job.model;

import io.holdfast.kernel.InvalidInputException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

public enum ClusterStatus {
    PENDING,
    CREATING,
    READY,
    SCALING,
    DESTROYING,
    DESTROYED,
    FAILED;

    /** Parses the status in a request. */
    public static ClusterStatus of(String field, String text) {
        return Arrays.stream(values())
                .filter(status -> status.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(field, "one of " + Arrays.toString(values())));
    }

    /** Whether the cluster's name is taken. Another cluster may have the name of one that is destroyed or has failed. */
    public boolean takesName() {
        return this != DESTROYED && this != FAILED;
    }

    /** The statuses to which a job that starts now can lead. */
    public Set<ClusterStatus> allowed() {
        var allowed = new TreeSet<ClusterStatus>();
        for (var type : JobType.values()) {
            if (type.startsFrom(this)) {
                allowed.add(type.during());
            }
        }
        return allowed;
    }
}
