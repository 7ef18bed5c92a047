package io.holdfast.store.codec;

import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lifecycle.model.Deployment;
import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.Workload;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ServiceJsonTest {
    private static final ServiceId ID = new ServiceId("team/a#1");

    static Stream<ServiceSpec> specs() {
        var workload = new Workload("shop", Workload.Kind.STATEFUL_SET, "web");
        return Stream.of(
                new ServiceSpec(new ObserveSpec.None(), Optional.empty()),
                new ServiceSpec(new ObserveSpec.Kubernetes(workload), Optional.of(Duration.ofMillis(90_001))),
                new ServiceSpec(
                        new ObserveSpec.Url(URI.create("https://example.com/a?b=c"), ProbePolicy.HTTP_CAUTIOUS),
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void everyFieldOfAServiceSurvives(ServiceSpec spec) {
        var end = new Deployment.End(ServiceStatus.RUNNING, true, Writer.WORKER, NOON.plusMillis(3));
        var deployment = new Deployment(
                DeploymentId.random(),
                1L << 50,
                NOON.plusMillis(1),
                NOON.plusMillis(2),
                Optional.of("„new“ \"release\""),
                Optional.of(end),
                List.of(DeploymentId.random(), DeploymentId.random()));
        var service = new Service(
                ID,
                spec,
                ServiceStatus.CRASHING,
                (1L << 50) + 1,
                NOON.plusMillis(4),
                NOON.plusMillis(5),
                Optional.of(deployment));

        assertThat(ServiceJson.readService(ServiceJson.write(service))).isEqualTo(service);
        assertThat(ServiceJson.readService(ServiceJson.writeState(service), ServiceJson.write(spec)))
                .isEqualTo(service);
    }

    @ParameterizedTest
    @EnumSource
    void everyStatusSurvives(ServiceStatus status) {
        var spec = new ServiceSpec(new ObserveSpec.None(), Optional.empty());
        var deployment =
                new Deployment(DeploymentId.random(), 1, NOON, NOON, Optional.empty(), Optional.empty(), List.of());
        var service = new Service(ID, spec, status, 1, NOON, NOON, Optional.of(deployment));

        assertThat(ServiceJson.readService(ServiceJson.write(service))).isEqualTo(service);
    }

    @Test
    void everyFieldOfAMoveSurvives() {
        var move = new Move(
                ID,
                1L << 50,
                NOON.plusMillis(1),
                Optional.of(ServiceStatus.DEPLOYING),
                Optional.of(ServiceStatus.FAILED),
                new Move.Cause(
                        Writer.RECONCILER,
                        Optional.of("why"),
                        Optional.of(DeploymentId.random()),
                        true,
                        Optional.of(new Observation(Observation.State.ABSENT, "no „pods“"))));

        assertThat(ServiceJson.readMove(ServiceJson.write(move))).isEqualTo(move);
    }

    @Test
    void aRegistrationAndARemovalSurvive() {
        var cause = new Move.Cause(Writer.API, Optional.empty(), Optional.empty(), false, Optional.empty());
        var registered = new Move(ID, 1, NOON, Optional.empty(), Optional.of(ServiceStatus.IDLE), cause);
        var removed = new Move(ID, 2, NOON, Optional.of(ServiceStatus.IDLE), Optional.empty(), cause);

        assertThat(ServiceJson.readMove(ServiceJson.write(registered))).isEqualTo(registered);
        assertThat(ServiceJson.readMove(ServiceJson.write(removed))).isEqualTo(removed);
    }

    @Test
    void fieldsOfANewerVersionAreIgnored() {
        var service = Service.registered(ID, new ServiceSpec(new ObserveSpec.None(), Optional.empty()), 7, NOON);
        var text = ServiceJson.write(service)
                .replace("\"status\"", "\"shape\":{\"a\":[1]},\"status\"")
                .replace("\"kind\"", "\"more\":true,\"kind\"");

        assertThat(ServiceJson.readService(text)).isEqualTo(service);
    }

    @Test
    void anUnknownStatusIsNamedInTheFailure() {
        var service = Service.registered(ID, new ServiceSpec(new ObserveSpec.None(), Optional.empty()), 7, NOON);

        assertThatThrownBy(
                        () -> ServiceJson.readService(ServiceJson.write(service).replace("IDLE", "HIBERNATING")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("HIBERNATING");
        assertThatThrownBy(() -> ServiceJson.readService("{"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("damaged");
    }

    /** Not as an invalid input of the caller that reads it. */
    @Test
    void anInvalidValueIsADamagedRecord() {
        var service = Service.registered(ID, new ServiceSpec(new ObserveSpec.None(), Optional.empty()), 7, NOON);

        assertThatThrownBy(
                        () -> ServiceJson.readService(ServiceJson.write(service).replace("team/a#1", "a b")))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(
                        () -> ServiceJson.readService(ServiceJson.write(service).replace("none", "guessed")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("guessed");
    }
}
