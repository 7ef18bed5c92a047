package io.holdfast.http.service;

import io.holdfast.http.wire.Times;
import io.holdfast.http.wire.database.WorkloadBody;
import io.holdfast.http.wire.service.DeployedBody;
import io.holdfast.http.wire.service.DeploymentBody;
import io.holdfast.http.wire.service.MoveBody;
import io.holdfast.http.wire.service.ObserveBody;
import io.holdfast.http.wire.service.ObservedBody;
import io.holdfast.http.wire.service.ServiceBody;
import io.holdfast.lifecycle.model.Deployment;
import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Builds the JSON bodies of services. */
final class ServiceBodies {
    private ServiceBodies() {}

    static ServiceBody of(Service service, Instant now) {
        return new ServiceBody(
                service.id().value(),
                service.status().name(),
                service.version(),
                Times.text(service.since()),
                Times.text(service.registeredAt()),
                service.spec().deployDeadline().map(Duration::toMillis).orElse(null),
                observe(service.spec().observe()),
                service.deployment().map(latest -> deployment(latest, now)).orElse(null));
    }

    /** @param service with a deployment */
    static DeployedBody deployed(Service service, Instant now) {
        var latest = service.deployment().orElseThrow();
        return new DeployedBody(latest.id().value(), latest.epoch(), of(service, now));
    }

    static MoveBody of(Move move) {
        var cause = move.cause();
        return new MoveBody(
                move.service().value(),
                move.version(),
                Times.text(move.at()),
                name(move.from()),
                name(move.to()),
                cause.by().text(),
                cause.reason().orElse(null),
                cause.deployment().map(DeploymentId::value).orElse(null),
                cause.rolledBack(),
                cause.seen()
                        .map(seen -> new ObservedBody(seen.state().name(), seen.detail()))
                        .orElse(null));
    }

    /** Null if nothing is observed. */
    private static ObserveBody observe(ObserveSpec observe) {
        return switch (observe) {
            case ObserveSpec.None none -> null;
            case ObserveSpec.Kubernetes kubernetes -> {
                var workload = kubernetes.workload();
                yield new ObserveBody(
                        new WorkloadBody(workload.namespace(), workload.kind().text(), workload.name()), null, null);
            }
            case ObserveSpec.Url url ->
                new ObserveBody(null, url.url().toString(), url.policy().text());
        };
    }

    private static DeploymentBody deployment(Deployment deployment, Instant now) {
        var end = deployment.end();
        return new DeploymentBody(
                deployment.id().value(),
                deployment.epoch(),
                Times.text(deployment.startedAt()),
                Times.text(deployment.deadline()),
                end.isPresent()
                        ? null
                        : Math.max(
                                0, Duration.between(now, deployment.deadline()).toMillis()),
                deployment.reason().orElse(null),
                end.map(ended -> Times.text(ended.at())).orElse(null),
                end.map(ended -> ended.status().name()).orElse(null),
                end.map(Deployment.End::rolledBack).orElse(null),
                end.map(ended -> ended.by().text()).orElse(null));
    }

    private static String name(Optional<ServiceStatus> status) {
        return status.map(Enum::name).orElse(null);
    }
}
