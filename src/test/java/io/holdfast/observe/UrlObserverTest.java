package io.holdfast.observe;

import static io.holdfast.lifecycle.model.Observation.State.CRASHING;
import static io.holdfast.lifecycle.model.Observation.State.RUNNING;
import static io.holdfast.lifecycle.model.Observation.State.STOPPED;
import static io.holdfast.lifecycle.model.Observation.State.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Observation.State;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.probe.ProbeSettings;
import io.holdfast.probe.Probes;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.remote.FakeServer;
import io.holdfast.remote.FakeServer.Response;
import io.holdfast.remote.KubernetesSettings;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the answers of a service's URL say of it, read over HTTP. */
class UrlObserverTest {
    private static final Vertx VERTX = Vertx.vertx();
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final int UP = 200;
    private static final int DOWN = 410;
    private static final int LOST = 503;

    private final FakeServer gateway = new FakeServer(request -> Response.of(500, ""));
    private final FakeServer app = new FakeServer(request -> Response.of(UP, ""));
    private final Probes probes =
            ProbeSettings.PATIENT.withGateway(gateway.url()).probes();
    private Observers observers = observers(ObserveSettings.DEFAULTS);

    @AfterEach
    void close() {
        observers.close();
        ProbeSettings.close(probes);
        app.close();
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource({"200, RUNNING", "410, STOPPED", "503, UNKNOWN"})
    void theStatusOfTheProbeIsTheState(int code, State state) {
        var seen = look(code, 0);

        assertThat(seen.state()).isEqualTo(state);
        assertThat(seen.detail()).contains(String.valueOf(code));
    }

    @Test
    void thePolicyOfTheServiceJudgesTheAnswer() {
        app.answers(request -> Response.of(LOST, ""));

        assertThat(look("reports", ProbePolicy.HTTP_200, app.url(), NOW).state())
                .isEqualTo(STOPPED);
    }

    @Test
    void theUrlIsAskedOnceAndTheStatusGatewayNever() {
        look(DOWN, 0);

        assertThat(app.requests()).hasSize(1);
        assertThat(gateway.requests()).isEmpty();
    }

    @Test
    void aUrlThatCannotBeReachedIsUnknown() {
        app.close();

        assertThat(look("reports", ProbePolicy.HTTP_CAUTIOUS, app.url(), NOW).state())
                .isEqualTo(UNKNOWN);
    }

    @Test
    void aProbeThatFailsIsUnknown() {
        try (var broken = new Closing(new Observers(
                ObserveSettings.DEFAULTS,
                ProbeSettings.PATIENT,
                KubernetesSettings.plain(app.url()),
                sharer -> Uni.createFrom().failure(new IllegalStateException("out of order")),
                VERTX))) {
            observers = broken.observers();

            assertThat(look(UP, 0)).isEqualTo(Observation.unknown("IllegalStateException: out of order"));
        }
    }

    @Test
    void flappingIsCrashingAndCalmsDownAfterTheWindow() {
        assertThat(look(UP, 0).state()).isEqualTo(RUNNING);
        assertThat(look(DOWN, 1).state()).isEqualTo(STOPPED);
        assertThat(look(UP, 2).state()).isEqualTo(RUNNING);
        assertThat(look(DOWN, 3).state()).isEqualTo(STOPPED);
        var flapping = look(UP, 4);
        assertThat(flapping.state()).isEqualTo(CRASHING);
        assertThat(flapping.detail()).startsWith("changed between UP and DOWN 4 times within 600s, now: ");
        assertThat(look(DOWN, 5).detail()).contains(" 5 times ");

        // The changes of minutes 1 and 2 are over after minute 12.
        assertThat(look(DOWN, 11).state()).isEqualTo(CRASHING);
        assertThat(look(
                                "reports",
                                ProbePolicy.HTTP_CAUTIOUS,
                                app.url(),
                                minute(12).minusMillis(1))
                        .state())
                .isEqualTo(CRASHING);
        assertThat(look(DOWN, 12).state()).isEqualTo(STOPPED);
    }

    @Test
    void changesThatAreFurtherApartAreNoFlapping() {
        for (var i = 0; i < 40; i++) {
            assertThat(look(i % 2 == 0 ? UP : DOWN, 4 * i).state()).isEqualTo(i % 2 == 0 ? RUNNING : STOPPED);
        }
    }

    @Test
    void unknownInBetweenNeitherCountsNorResets() {
        look(UP, 0);
        assertThat(look(LOST, 1).state()).isEqualTo(UNKNOWN);
        assertThat(look(UP, 2).state()).isEqualTo(RUNNING);
        look(LOST, 3);
        look(UP, 4);
        assertThat(look(DOWN, 5).state()).isEqualTo(STOPPED);
        look(LOST, 5);
        look(UP, 6);
        look(LOST, 6);
        assertThat(look(DOWN, 7).state()).isEqualTo(STOPPED);
        assertThat(look(LOST, 7).state()).isEqualTo(UNKNOWN);
        assertThat(look(UP, 8).state()).isEqualTo(CRASHING);
        assertThat(look(LOST, 8).state()).isEqualTo(UNKNOWN);
        assertThat(look(UP, 9).state()).isEqualTo(CRASHING);
    }

    @Test
    void theServicesAreCountedApart() {
        for (var minute = 0; minute < 5; minute++) {
            look(minute % 2 == 0 ? UP : DOWN, minute);
        }

        assertThat(look("other", ProbePolicy.HTTP_CAUTIOUS, app.url(), minute(5))
                        .state())
                .isEqualTo(RUNNING);
    }

    @Test
    void anotherUrlOfTheServiceStartsWithoutMemory() {
        for (var minute = 0; minute < 5; minute++) {
            look(minute % 2 == 0 ? UP : DOWN, minute);
        }

        assertThat(look("reports", ProbePolicy.HTTP_CAUTIOUS, app.url().resolve("/v2"), minute(5))
                        .state())
                .isEqualTo(RUNNING);
    }

    @Test
    void aForgottenServiceIsCountedAnew() {
        observers.close();
        observers = observers(ObserveSettings.DEFAULTS.withRememberedMax(1));
        for (var minute = 0; minute < 4; minute++) {
            look(minute % 2 == 0 ? UP : DOWN, minute);
        }
        look("other", ProbePolicy.HTTP_CAUTIOUS, app.url(), minute(4));

        assertThat(look(UP, 5).state()).isEqualTo(RUNNING);
    }

    private record Closing(Observers observers) implements AutoCloseable {
        @Override
        public void close() {
            observers.close();
        }
    }

    private Observers observers(ObserveConfig config) {
        return new Observers(
                config,
                ProbeSettings.PATIENT,
                KubernetesSettings.plain(URI.create("http://localhost:1")),
                probes,
                VERTX);
    }

    private static Instant minute(int number) {
        return NOW.plus(Duration.ofMinutes(number));
    }

    private Observation look(int code, int minute) {
        app.answers(request -> Response.of(code, ""));
        return look("reports", ProbePolicy.HTTP_CAUTIOUS, app.url(), minute(minute));
    }

    private Observation look(String id, ProbePolicy policy, URI url, Instant now) {
        var spec = new ServiceSpec(new ObserveSpec.Url(url, policy), Optional.empty());
        var service = Service.registered(new ServiceId(id), spec, 1, Instant.EPOCH);
        return observers.observe(service, now).await().atMost(Duration.ofSeconds(90));
    }
}
