package io.holdfast.lifecycle.model;

import java.time.Instant;
import java.util.Optional;

/**
 * One row of a service's history.
 *
 * @param version of the service after the move
 * @param from absent for the registration
 * @param to absent for the removal
 */
public record Move(
        ServiceId service,
        long version,
        Instant at,
        Optional<ServiceStatus> from,
        Optional<ServiceStatus> to,
        Cause cause) {

    /**
     * Who made the move, and why.
     *
     * @param deployment the latest deployment at that time
     * @param rolledBack whether the worker has restored what ran before
     * @param seen what the reconciler saw
     */
    public record Cause(
            Writer by,
            Optional<String> reason,
            Optional<DeploymentId> deployment,
            boolean rolledBack,
            Optional<Observation> seen) {}
}
