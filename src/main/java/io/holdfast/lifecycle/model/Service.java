package io.holdfast.lifecycle.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A service and its status.
 *
 * @param version rises by one with every move, so it tells an older writer from a newer one
 * @param since when the status was written
 * @param deployment the latest one; absent if the service was never deployed
 */
public record Service(
        ServiceId id,
        ServiceSpec spec,
        ServiceStatus status,
        long version,
        Instant since,
        Instant registeredAt,
        Optional<Deployment> deployment) {

    /** @param version above those of an earlier service with the same id */
    public static Service registered(ServiceId id, ServiceSpec spec, long version, Instant now) {
        return new Service(id, spec, ServiceStatus.IDLE, version, now, now, Optional.empty());
    }

    /** The next version, DEPLOYING. Its number is the epoch of the deployment. */
    public Service deploying(DeploymentId deploymentId, Optional<String> reason, Instant deadline, Instant now) {
        var next = version + 1;
        var earlier = deployment.map(Deployment::withEarlier).orElse(List.of());
        var begun = new Deployment(deploymentId, next, now, deadline, reason, Optional.empty(), earlier);
        return new Service(id, spec, ServiceStatus.DEPLOYING, next, now, registeredAt, Optional.of(begun));
    }

    /** The next version, with another status. If a deployment is under way, this ends it. */
    public Service movedTo(ServiceStatus to, boolean rolledBack, Writer by, Instant now) {
        return new Service(
                id,
                spec,
                to,
                version + 1,
                now,
                registeredAt,
                deployment.map(latest -> latest.endedBy(to, rolledBack, by, now)));
    }

    public Service with(ServiceSpec newSpec) {
        return new Service(id, newSpec, status, version, since, registeredAt, deployment);
    }

    /** Whether a deployment is past its deadline and the status has not been repaired. */
    public boolean isOverdueAt(Instant now) {
        return status == ServiceStatus.DEPLOYING
                && deployment.filter(latest -> latest.isOverdueAt(now)).isPresent();
    }
}
