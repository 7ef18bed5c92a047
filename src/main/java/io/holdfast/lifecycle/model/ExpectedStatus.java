package io.holdfast.lifecycle.model;

import java.time.Instant;
import java.util.Optional;

/** The status that a service should have, given what was seen of it. Pure. */
public final class ExpectedStatus {
    private ExpectedStatus() {}

    /**
     * The status to repair to; empty if the present one is consistent with what was seen.
     *
     * <p>A deployment is left alone until its deadline. Then, if nothing runs, it has failed.
     */
    public static Optional<ServiceStatus> of(Service service, Observation seen, Instant now) {
        if (isBeforeDeadline(service, now)) {
            return Optional.empty();
        }
        var expected =
                switch (seen.state()) {
                    case UNKNOWN -> service.status();
                    case RUNNING -> ServiceStatus.RUNNING;
                    case CRASHING -> ServiceStatus.CRASHING;
                    case STOPPED, ABSENT -> whenNothingRuns(service);
                };
        return Optional.of(expected).filter(status -> status != service.status());
    }

    private static boolean isBeforeDeadline(Service service, Instant now) {
        return service.status() == ServiceStatus.DEPLOYING
                && service.deployment()
                        .filter(deployment -> deployment.isOverdueAt(now))
                        .isEmpty();
    }

    private static ServiceStatus whenNothingRuns(Service service) {
        return switch (service.status()) {
            // Each of these says that nothing runs, and a caller may have chosen which.
            case IDLE, STOPPED, FAILED -> service.status();
            case DEPLOYING -> ServiceStatus.FAILED;
            case RUNNING, CRASHING ->
                service.deployment().filter(Deployment::hasFailed).isPresent()
                        ? ServiceStatus.FAILED
                        : service.deployment().isPresent() ? ServiceStatus.STOPPED : ServiceStatus.IDLE;
        };
    }
}
