package io.holdfast.lifecycle.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One deployment of a service.
 *
 * @param epoch the version of the status that began it, so later deployments have higher epochs
 * @param deadline from then on the reconciler may repair the status
 * @param end absent while the status is still the one that this deployment began
 * @param earlier the deployments before it, newest first, at most {@link #EARLIER_MAX}
 */
public record Deployment(
        DeploymentId id,
        long epoch,
        Instant startedAt,
        Instant deadline,
        Optional<String> reason,
        Optional<End> end,
        List<DeploymentId> earlier) {
    /** So many earlier deployments are remembered, so that a late copy of a request does not begin one of them again. */
    public static final int EARLIER_MAX = 8;

    public Deployment {
        earlier = List.copyOf(earlier);
    }

    /**
     * @param status the status that ended it
     * @param rolledBack whether the worker has restored what ran before
     */
    public record End(ServiceStatus status, boolean rolledBack, Writer by, Instant at) {}

    public boolean is(DeploymentId otherId, long otherEpoch) {
        return id.equals(otherId) && epoch == otherEpoch;
    }

    public boolean follows(DeploymentId other) {
        return earlier.contains(other);
    }

    /** For the next deployment. */
    List<DeploymentId> withEarlier() {
        return Stream.concat(Stream.of(id), earlier.stream()).limit(EARLIER_MAX).toList();
    }

    public boolean isOverdueAt(Instant now) {
        return end.isEmpty() && !now.isBefore(deadline);
    }

    /** Whether it has left nothing running: its worker reported so, or nothing was seen running at its deadline. */
    public boolean hasFailed() {
        return end.filter(ended -> ended.status() == ServiceStatus.FAILED).isPresent();
    }

    Deployment endedBy(ServiceStatus status, boolean rolledBack, Writer by, Instant at) {
        return end.isPresent()
                ? this
                : new Deployment(
                        id,
                        epoch,
                        startedAt,
                        deadline,
                        reason,
                        Optional.of(new End(status, rolledBack, by, at)),
                        earlier);
    }
}
