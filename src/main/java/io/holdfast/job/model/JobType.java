package io.holdfast.job.model;

import static io.holdfast.job.model.ClusterStatus.CREATING;
import static io.holdfast.job.model.ClusterStatus.DESTROYED;
import static io.holdfast.job.model.ClusterStatus.DESTROYING;
import static io.holdfast.job.model.ClusterStatus.FAILED;
import static io.holdfast.job.model.ClusterStatus.PENDING;
import static io.holdfast.job.model.ClusterStatus.READY;
import static io.holdfast.job.model.ClusterStatus.SCALING;

import io.holdfast.kernel.InvalidInputException;
import java.util.Arrays;
import java.util.Set;

/** The table of transitions: in which status of the cluster a job may start, and the statuses that it leads to. */
public enum JobType {
    CREATE(Set.of(PENDING), CREATING, READY),
    DESTROY(Set.of(READY, FAILED), DESTROYING, DESTROYED),
    SCALE_WORKERS(Set.of(READY), SCALING, READY),
    /** A destroy that the janitor submits when the cluster's TTL is over. */
    JANITOR_DESTROY(Set.of(READY, FAILED), DESTROYING, DESTROYED);

    private final Set<ClusterStatus> from;
    private final ClusterStatus during;
    private final ClusterStatus done;

    JobType(Set<ClusterStatus> from, ClusterStatus during, ClusterStatus done) {
        this.from = from;
        this.during = during;
        this.done = done;
    }

    /** Parses the type in a request. */
    public static JobType of(String field, String text) {
        return Arrays.stream(values())
                .filter(type -> type.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(field, "one of " + Arrays.toString(values())));
    }

    public boolean startsFrom(ClusterStatus status) {
        return from.contains(status);
    }

    /** The status of the cluster while the job runs, and while it waits for its next attempt. */
    public ClusterStatus during() {
        return during;
    }

    /** The status of the cluster after the job has succeeded. After any other end of a started job it is FAILED. */
    public ClusterStatus done() {
        return done;
    }

    public boolean destroys() {
        return during == DESTROYING;
    }
}
