package io.holdfast.probe;

import static io.holdfast.power.model.AppStatus.DOWN;
import static io.holdfast.power.model.AppStatus.UNKNOWN;
import static io.holdfast.power.model.AppStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.Sharer;
import io.holdfast.remote.TestTls;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayProbeTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private TestTls.Served gateway;
    private volatile int code = 200;
    private volatile String body = "";

    @BeforeEach
    void serve() throws IOException {
        gateway = TestTls.servePlain(this::answer);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource({"UP, 200", "DOWN, 503", "DOWN, null", "UNKNOWN, null", "UP, null"})
    void theGatewaysAnswerIsTakenAsItIs(AppStatus status, String httpCode) {
        body = body("reports", status.name(), httpCode);

        var result = probed("");

        assertThat(result.status()).isEqualTo(status);
        assertThat(result.httpCode())
                .isEqualTo(httpCode.equals("null") ? Optional.empty() : Optional.of(Integer.valueOf(httpCode)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/prod", "/prod/"})
    void theGatewayIsAskedBelowItsBase(String base) {
        body = body("reports", "UP", "200");

        assertThat(probed(base).status()).isEqualTo(UP);
        assertThat(asked).containsExactly("GET " + base.replaceFirst("/$", "") + "/status/quick?app=reports");
    }

    @Test
    void aNameWithSignsOfItsOwnArrivesWhole() {
        body = body("team/a#1@eu:x", "UP", "200");

        var result = probe("", Sharers.named("team/a#1@eu:x", spec(1)));

        assertThat(result.status()).isEqualTo(UP);
        assertThat(asked).containsExactly("GET /status/quick?app=team%2Fa%231%40eu%3Ax");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "DOWN",
                "null",
                "[]",
                "{}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":null}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"other\",\"status\":\"DOWN\",\"http_code\":null,\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":1,\"status\":\"DOWN\",\"http_code\":null,\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"reports\",\"status\":\"down\",\"http_code\":null,\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"reports\",\"status\":null,\"http_code\":null,\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":\"503\",\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":5.5,\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":99,\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":1000,\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":200,\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":null,\"timestamp\":\"yesterday\"}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":null,\"timestamp\":1}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":null,\"timestamp\":\"2025-11-28T18:00:00Z\",\"x\":1}",
                "{\"app\":\"reports\",\"status\":\"UP\",\"status\":\"DOWN\",\"http_code\":null,\"timestamp\":\"2025-11-28T18:00:00Z\"}",
                "{\"app\":\"reports\",\"status\":\"DOWN\",\"http_code\":null,\"timestamp\":\"2025-11-28T18:00:00Z\"} {}",
            })
    void anAnswerOfAnyOtherFormIsUnknown(String said) {
        body = said;

        var result = probed("");

        assertThat(result.status()).isEqualTo(UNKNOWN);
        assertThat(result.httpCode()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 302, 404, 500, 503})
    void anyOtherStatusIsUnknownWhateverTheBodySays(int given) {
        code = given;
        body = body("reports", "DOWN", "503");

        assertThat(probed("").status()).isEqualTo(UNKNOWN);
    }

    @Test
    void anAnswerBeyondTheBoundIsUnknown() {
        body = " ".repeat(20_000) + body("reports", "DOWN", "503");

        var result = probed("");

        assertThat(result).isEqualTo(Result.unknown("the answer is longer than 16384 bytes"));
    }

    @Test
    void aGatewayThatCannotBeReachedMakesEveryAppUnknown() {
        var url = gateway.url("");
        gateway.close();
        var probes = ProbeSettings.PATIENT.withGateway(url).probes();

        var result = probes.probe(Sharers.named("reports", spec(3))).await().atMost(Duration.ofSeconds(90));

        assertThat(result.status()).isEqualTo(UNKNOWN);
        probes.close();
    }

    @Test
    void downIsConfirmedByTheGatewayAsOftenAsTheAppAsksFor() {
        body = body("reports", "DOWN", "503");

        assertThat(probe("", Sharers.named("reports", spec(3))).status()).isEqualTo(DOWN);
        assertThat(asked).hasSize(3);
    }

    @Test
    void withAGatewayTheAppItselfIsNotAsked() {
        body = body("reports", "DOWN", "503");
        try (var app = RawServer.sayingThenClosing("HTTP/1.1 200 OK\r\n\r\n")) {
            assertThat(probe("", Sharers.http200(app.url())).status()).isEqualTo(DOWN);
            assertThat(app.connections()).isZero();
        }
    }

    @Test
    void aQuickLookAsksTheAppAndNeverTheGateway() {
        var probes = ProbeSettings.PATIENT.withGateway(gateway.url("")).probes();
        try (var app = RawServer.sayingThenClosing("HTTP/1.1 200 OK\r\n\r\n")) {
            var result = probes.probeOnce(Sharers.http200(app.url())).await().atMost(Duration.ofSeconds(90));

            assertThat(result.status()).isEqualTo(UP);
            assertThat(asked).isEmpty();
        } finally {
            probes.close();
        }
    }

    private Result probed(String base) {
        return probe(base, Sharers.named("reports", spec(1)));
    }

    private Result probe(String base, Sharer app) {
        var probes = ProbeSettings.PATIENT.withGateway(gateway.url(base)).probes();
        try {
            return probes.probe(app).await().atMost(Duration.ofSeconds(90));
        } finally {
            probes.close();
        }
    }

    /** The app's own address leads nowhere: whatever is known comes from the gateway. */
    private static ProbeSpec spec(int confirmations) {
        return new ProbeSpec(
                ProbePolicy.HTTP_200, Optional.of(URI.create("http://localhost:1/")), Optional.empty(), confirmations);
    }

    private static String body(String app, String status, String httpCode) {
        return "{\"app\":\"%s\",\"status\":\"%s\",\"http_code\":%s,\"timestamp\":\"2025-11-28T18:00:00Z\"}"
                .formatted(app, status, httpCode);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
