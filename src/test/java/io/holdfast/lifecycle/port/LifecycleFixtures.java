package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Services, and requests to change them. */
public final class LifecycleFixtures {
    public static final Duration DEADLINE = Duration.ofMinutes(15);
    public static final Duration RETENTION = Duration.ofDays(30);
    public static final LifecycleRules RULES = new LifecycleRules(DEADLINE);
    public static final ServiceSpec SPEC = new ServiceSpec(new ObserveSpec.None(), Optional.empty());

    private LifecycleFixtures() {}

    public static ServiceId anId() {
        return new ServiceId("service-" + UUID.randomUUID());
    }

    public static StatusChange registration(ServiceId id, Instant now) {
        return RULES.register(id, SPEC, 0, now);
    }

    /** In this status, after a deployment unless it is IDLE. */
    public static Service inStatus(ServiceStatus status, Instant now) {
        var idle = registration(anId(), now).after().orElseThrow();
        if (status == ServiceStatus.IDLE) {
            return idle;
        }
        var deploying = idle.deploying(DeploymentId.random(), Optional.empty(), now.plus(DEADLINE), now);
        return switch (status) {
            case DEPLOYING -> deploying;
            case RUNNING, FAILED -> deploying.movedTo(status, false, Writer.WORKER, now);
            default ->
                deploying
                        .movedTo(ServiceStatus.RUNNING, false, Writer.WORKER, now)
                        .movedTo(status, false, Writer.API, now);
        };
    }

    public static StatusWrite.Deploy deploy() {
        return new StatusWrite.Deploy(DeploymentId.random(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static StatusWrite.Set set(ServiceStatus status) {
        return new StatusWrite.Set(status, Optional.empty(), Optional.empty());
    }

    /** The result of the latest deployment of the service. */
    public static StatusWrite.Report result(Service service, ServiceStatus status) {
        var deployment = service.deployment().orElseThrow();
        return new StatusWrite.Report(deployment.id(), deployment.epoch(), status, false, Optional.empty());
    }

    public static StatusWrite.Repair repair(ServiceStatus status) {
        return new StatusWrite.Repair(status, seen(Observation.State.RUNNING));
    }

    public static Observation seen(Observation.State state) {
        return new Observation(state, "seen by a test");
    }

    public static Service written(WriteOutcome outcome) {
        return ((WriteOutcome.Written) outcome).service();
    }
}
