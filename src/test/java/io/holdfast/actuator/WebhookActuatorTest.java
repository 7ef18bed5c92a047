package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.remote.Excerpt;
import io.holdfast.remote.FakeServer;
import io.holdfast.remote.FakeServer.Response;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a receiver that answers as each test says. */
class WebhookActuatorTest {
    private static final String SECRET = "open-sesame-0815";

    private final FakeServer receiver = new FakeServer(request -> Response.of(202, ""));
    private final Rig rig = new Rig(ActuatorSettings.at(receiver.url()), spec(receiver.url(), Optional.of(SECRET)));

    private static ActuatorSpec spec(URI url, Optional<String> secret) {
        return new ActuatorSpec.Webhook(url.resolve("/power?from=holdfast"), url.resolve("/status"), secret);
    }

    @AfterEach
    void close() {
        rig.close();
        receiver.close();
    }

    @Test
    void anOrderSaysWhatToDoToWhichDatabaseAndWhichOrderItIs() throws JsonProcessingException {
        assertThat(rig.stop()).isEqualTo(new Outcome.Accepted());

        var request = receiver.requests().getFirst();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.uri()).hasToString("/power?from=holdfast");
        assertThat(request.header("Content-Type")).isEqualTo("application/json");
        assertThat(request.header("Idempotency-Key")).isEqualTo("db.internal:5432#7#stop");
        assertThat(new ObjectMapper().readTree(request.body()))
                .isEqualTo(
                        new ObjectMapper()
                                .readTree(
                                        """
                                        {"action":"stop","database":"db.internal:5432","epoch":7,
                                         "idempotency_key":"db.internal:5432#7#stop"}"""));
    }

    @Test
    void theSameOrderKeepsItsKeyAndAnotherHasAnother() {
        rig.stop();
        rig.stop();
        rig.start();

        assertThat(receiver.requests())
                .extracting(request -> request.header("Idempotency-Key"))
                .containsExactly("db.internal:5432#7#stop", "db.internal:5432#7#stop", "db.internal:5432#7#start");
    }

    @Test
    void aReceiverCanCheckTheSignatureOverTimestampAndBody() throws GeneralSecurityException {
        rig.stop();

        var request = receiver.requests().getFirst();
        var timestamp = request.header("X-Holdfast-Timestamp");
        assertThat(timestamp).isEqualTo(String.valueOf(rig.clock.instant().getEpochSecond()));
        assertThat(request.header("X-Holdfast-Signature"))
                .isEqualTo("sha256=" + hmac(timestamp + "." + request.body()));
    }

    @Test
    void theSameOrderLaterIsSignedForItsOwnTime() {
        rig.stop();
        rig.clock.advance(Duration.ofMinutes(1));
        rig.stop();

        assertThat(receiver.requests())
                .extracting(request -> request.header("X-Holdfast-Signature"))
                .doesNotHaveDuplicates();
    }

    @Test
    void theStatusIsAskedWithASignatureToo() throws GeneralSecurityException {
        rig.state();

        var request = receiver.requests().getFirst();
        assertThat(request.method()).isEqualTo("GET");
        assertThat(request.uri()).hasToString("/status");
        assertThat(request.header("X-Holdfast-Signature"))
                .isEqualTo("sha256=" + hmac(request.header("X-Holdfast-Timestamp") + "."));
    }

    @Test
    void withoutASecretNothingIsSigned() {
        try (var open = new Rig(ActuatorSettings.at(receiver.url()), spec(receiver.url(), Optional.empty()))) {
            assertThat(open.stop()).isEqualTo(new Outcome.Accepted());
            assertThat(receiver.requests().getFirst().header("X-Holdfast-Signature"))
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 299})
    void anyTwoHundredIsAccepted(int status) {
        receiver.answers(request -> Response.of(status, ""));

        assertThat(rig.stop()).isEqualTo(new Outcome.Accepted());
        assertThat(rig.start()).isEqualTo(new Outcome.Accepted());
    }

    @ParameterizedTest
    @CsvSource({
        "400, Refused",
        "401, Refused",
        "403, Refused",
        "404, Refused",
        "409, Refused",
        "422, Refused",
        "304, Refused",
        "408, Retry",
        "425, Retry",
        "429, Retry",
        "500, Retry",
        "502, Retry",
        "503, Retry"
    })
    void anyOtherAnswerIsRefusedOrRetriedWithItsStatus(int status, String outcome) {
        receiver.answers(request -> Response.of(status, ""));

        assertThat(rig.stop()).hasToString(outcome + "[reason=webhook answered " + status + "]");
    }

    @Test
    void aRefusalCarriesTheBeginningOfWhatWasSaidOnOneLine() {
        receiver.answers(request -> Response.of(409, "backup\n\tis\u0007 running " + "x".repeat(500)));

        assertThat(((Outcome.Refused) rig.stop()).reason())
                .startsWith("webhook answered 409: backup is running xxx")
                .endsWith("x…")
                .hasSize("webhook answered 409: ".length() + Excerpt.LENGTH_MAX + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void aRedirectIsRefusedAndNotFollowed(int status) {
        receiver.answers(request -> new Response(status, Map.of("Location", receiver.url() + "/elsewhere"), ""));

        assertThat(rig.stop()).isEqualTo(new Outcome.Refused("webhook answered " + status));
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
        assertThat(receiver.requests())
                .extracting(request -> request.uri().getPath())
                .containsExactly("/power", "/status");
    }

    @Test
    void silenceIsGivenUpAndMayBeTriedAgain() {
        receiver.answers(request -> Response.silence());
        var hastily = ActuatorSettings.at(receiver.url()).hasty();
        try (var hasty = new Rig(hastily, spec(receiver.url(), Optional.empty()))) {
            assertThat(hasty.stop()).isEqualTo(new Outcome.Retry("webhook: no answer within 300 ms"));
            assertThat(hasty.state()).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    void aBrokenConnectionIsRetried() {
        receiver.answers(request -> Response.cut());

        assertThat(rig.stop()).isInstanceOf(Outcome.Retry.class);
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void nobodyListeningIsRetried() {
        receiver.close();

        assertThat(rig.stop()).isInstanceOf(Outcome.Retry.class);
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"UNKNOWN"},
            mode = EnumSource.Mode.EXCLUDE)
    void theStatusUrlNamesTheState(State state) {
        receiver.answers(request -> Response.of(200, "{\"since\":1,\"state\":\"" + state + "\"}"));

        assertThat(rig.state()).isEqualTo(state);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "STOPPED",
                "\"STOPPED\"",
                "{\"state\":\"stopped\"}",
                "{\"state\":\"STOPPED \"}",
                "{\"state\":\"GONE\"}",
                "{\"state\":null}",
                "{\"state\":[\"STOPPED\"]}",
                "{\"State\":\"STOPPED\"}",
                "{\"state\":\"STOPPED\"} trailing",
                "{\"state\":\"STOPPED\",\"state\":\"RUNNING\"}",
                "{\"state\":\"STOPPED\"",
                "<html>STOPPED</html>"
            })
    void anythingElseIsUnknown(String body) {
        receiver.answers(request -> Response.of(200, body));

        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 203, 404, 500, 503})
    void aStateWithAnyOtherStatusIsUnknown(int status) {
        receiver.answers(request -> Response.of(status, "{\"state\":\"STOPPED\"}"));

        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void aStateIsReadUpToTheLimitAndNotBeyond() {
        var state = "{\"state\":\"STOPPED\"}";
        receiver.answers(request -> Response.of(200, state + " ".repeat(WebhookActuator.BODY_MAX - state.length())));
        assertThat(rig.state()).isEqualTo(State.STOPPED);

        receiver.answers(
                request -> Response.of(200, state + " ".repeat(WebhookActuator.BODY_MAX + 1 - state.length())));
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void anOrderIsAcceptedHoweverMuchTheReceiverTalks() {
        receiver.answers(request -> Response.of(200, "x".repeat(10 * WebhookActuator.BODY_MAX)));

        assertThat(rig.stop()).isEqualTo(new Outcome.Accepted());
    }

    @Test
    void theSecretIsNeverShownNotEvenWhenTheReceiverRepeatsIt() {
        receiver.answers(request -> Response.of(400, "bad secret " + SECRET));
        try (var log = new LogLines()) {
            var outcome = rig.stop();
            rig.state();

            assertThat(outcome).isEqualTo(new Outcome.Refused("webhook answered 400: bad secret ***"));
            assertThat(log.lines()).isNotEmpty().noneMatch(line -> line.contains(SECRET));
        }
        assertThat(spec(receiver.url(), Optional.of(SECRET)).toString()).doesNotContain(SECRET);
    }

    private static String hmac(String message) throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(message.getBytes(StandardCharsets.UTF_8)));
    }
}
