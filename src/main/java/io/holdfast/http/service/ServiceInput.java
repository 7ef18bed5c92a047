package io.holdfast.http.service;

import static io.holdfast.http.edge.Parameters.optional;
import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.http.edge.Parameters;
import io.holdfast.http.wire.database.WorkloadBody;
import io.holdfast.http.wire.service.DeploymentResultBody;
import io.holdfast.http.wire.service.ObserveBody;
import io.holdfast.http.wire.service.PutServiceBody;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.port.FeedPosition;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.Workload;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Turns the bodies of requests about services into commands. An error names the field as in the body. */
final class ServiceInput {
    static final String LAST_EVENT_HEADER = "Last-Event-ID";
    static final String LAST_EVENT_PARAMETER = "last_event_id";

    private static final String OBSERVE = "observe.";

    private ServiceInput() {}

    static ServiceSpec spec(PutServiceBody body) {
        return new ServiceSpec(
                Optional.ofNullable(body.observe()).map(ServiceInput::observe).orElseGet(ObserveSpec.None::new),
                Parameters.duration("deploy_deadline", body.deployDeadline()));
    }

    private static ObserveSpec observe(ObserveBody body) {
        if ((body.kubernetes() == null) == (body.url() == null)) {
            throw new InvalidInputException("observe", "left out, or an object with either kubernetes or url");
        }
        if (body.kubernetes() == null) {
            return new ObserveSpec.Url(url(body.url()), policy(body.probe()));
        }
        if (body.probe() != null) {
            throw new InvalidInputException(OBSERVE + "probe", "left out with kubernetes");
        }
        return new ObserveSpec.Kubernetes(workload(body.kubernetes()));
    }

    private static URI url(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new InvalidInputException(OBSERVE + "url", "an http or https URL");
        }
    }

    private static ProbePolicy policy(String text) {
        return switch (text) {
            case null -> ProbePolicy.HTTP_200;
            case "http-200" -> ProbePolicy.HTTP_200;
            case "http-cautious" -> ProbePolicy.HTTP_CAUTIOUS;
            default -> throw new InvalidInputException(OBSERVE + "probe", "one of http-200, http-cautious");
        };
    }

    private static Workload workload(WorkloadBody body) {
        try {
            return new Workload(
                    required("kubernetes.namespace", body.namespace()),
                    Workload.Kind.of(required("kubernetes.kind", body.kind())),
                    required("kubernetes.name", body.name()));
        } catch (InvalidInputException e) {
            throw new InvalidInputException(OBSERVE + e.field(), e.allowed());
        }
    }

    static ServiceStatus status(String text) {
        return ServiceStatus.of("status", required("status", text));
    }

    static StatusWrite.Report report(DeploymentResultBody body) {
        return new StatusWrite.Report(
                new DeploymentId(required("deployment_id", body.deploymentId())),
                version("epoch", Optional.ofNullable(body.epoch())).orElseThrow(() -> notAVersion("epoch")),
                status(body.status()),
                Boolean.TRUE.equals(body.rolledBack()),
                Optional.ofNullable(body.reason()));
    }

    /** A version of a service, or the epoch of a deployment, which is one. */
    static Optional<Long> version(String field, Optional<Long> given) {
        given.filter(version -> version < 1).ifPresent(tooSmall -> {
            throw notAVersion(field);
        });
        return given;
    }

    private static InvalidInputException notAVersion(String field) {
        return new InvalidInputException(field, "a whole number from 1 to " + Long.MAX_VALUE);
    }

    /** The header is newer than the parameter: a browser that connects again repeats the URL. Null if it is not given. */
    static Optional<FeedPosition> position(String header, String parameter) {
        return optional(header, text -> FeedPosition.parse(LAST_EVENT_HEADER, text))
                .or(() -> optional(parameter, text -> FeedPosition.parse(LAST_EVENT_PARAMETER, text)));
    }
}
