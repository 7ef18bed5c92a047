package io.holdfast.probe;

import static io.holdfast.power.model.AppStatus.UNKNOWN;
import static io.holdfast.power.model.AppStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.power.model.AppStatus;
import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.Sharer;
import io.holdfast.remote.TestTls;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP probes on the wire. */
class HttpProbeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Probes probes = ProbeSettings.PATIENT.probes();

    @AfterEach
    void close() {
        probes.close();
    }

    @Test
    void aClientThatCouldNotBeMadeIsMadeForTheNextLook() {
        var attempts = new AtomicInteger();
        try (var app = RawServer.answering(head(200));
                var probe = new HttpProbe(() -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new UncheckedIOException(new IOException("too many open files"));
                    }
                    return HeadersOnly.client(PATIENCE).build();
                })) {
            var first = probe.http200(app.url());
            assertThatThrownBy(() -> first.await().atMost(PATIENCE)).hasMessageContaining("too many open files");

            assertThat(probe.http200(app.url()).await().atMost(PATIENCE).status())
                    .isEqualTo(UP);
            assertThat(probe.http200(app.url()).await().atMost(PATIENCE).status())
                    .isEqualTo(UP);
            assertThat(attempts).hasValue(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, UP", "201, DOWN", "204, DOWN", "206, DOWN", "301, DOWN", "304, DOWN", "400, DOWN", "401, DOWN",
        "403, DOWN", "404, DOWN", "405, DOWN", "407, DOWN", "410, DOWN", "429, DOWN", "500, DOWN", "502, DOWN",
        "503, DOWN", "504, DOWN", "599, DOWN"
    })
    void http200TakesOnly200ForUpAndAnyOtherAnswerForDown(int code, AppStatus expected) {
        try (var app = RawServer.answering(head(code))) {
            var result = probed(Sharers.http200(app.url()));

            assertThat(result.status()).isEqualTo(expected);
            assertThat(result.httpCode()).contains(code);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, UP",
        "204, UP",
        "401, UP",
        "403, UP",
        "404, UNKNOWN",
        "407, UNKNOWN",
        "410, DOWN",
        "429, UP",
        "500, UNKNOWN",
        "503, UNKNOWN"
    })
    void httpCautiousTakesWhatTheAppItselfSaysForUp(int code, AppStatus expected) {
        try (var app = RawServer.answering(head(code))) {
            var result = probed(Sharers.cautious(app.url()));

            assertThat(result.status()).isEqualTo(expected);
            assertThat(result.httpCode()).contains(code);
        }
    }

    @Test
    void theAppIsAskedWithOneHeadRequestInHttp11() {
        try (var app = RawServer.answering(head(200))) {
            probed(Sharers.http200(app.url()));

            assertThat(app.heads())
                    .singleElement()
                    .asString()
                    .startsWith("HEAD /health HTTP/1.1\r\n")
                    .doesNotContainIgnoringCase("upgrade");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_200", "HTTP_CAUTIOUS"})
    void aRedirectIsNotFollowed(ProbePolicy policy) {
        try (var target = RawServer.answering(head(200));
                var app = RawServer.answering("HTTP/1.1 302 Found\r\nLocation: " + target.url() + "\r\n\r\n")) {
            var result = probed(Sharers.http(policy, app.url(), 1));

            assertThat(result.httpCode()).contains(302);
            assertThat(app.heads()).hasSize(1);
            assertThat(target.connections()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"200, UP", "401, UP", "405, UNKNOWN", "410, DOWN", "503, UNKNOWN"})
    void httpCautiousAsksAgainWithGetWhenHeadIsNotAllowed(int codeOfGet, AppStatus expected) {
        try (var app = new RawServer(connection -> {
            var get = connection.readHead().startsWith("GET ");
            connection.send(head(get ? codeOfGet : 405));
        })) {
            var result = probed(Sharers.cautious(app.url()));

            assertThat(result.status()).isEqualTo(expected);
            assertThat(result.httpCode()).contains(codeOfGet);
            assertThat(app.heads()).hasSize(2);
        }
    }

    @Test
    void aBodyWithoutEndIsNotWaitedFor() {
        try (var app = new RawServer(connection -> {
            if (connection.readHead().startsWith("HEAD ")) {
                connection.send(head(405));
                return;
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
            while (true) {
                connection.send("and so on ".repeat(1000));
            }
        })) {
            assertThat(probed(Sharers.cautious(app.url())).status()).isEqualTo(UP);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 40",
                "HTTP/1.1 404 Not Fo",
                "HTTP/1.1 404 Not Found\r\n",
                "HTTP/1.1 404 Not Found\r\nContent-Le",
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n",
                "HTTP/1.1 4x4 Not Found\r\n\r\n",
                "HTTP/1.1 099 Odd\r\n\r\n",
                "HTTP/1.1 \r\n\r\n",
                "HTTP/2 404\r\n\r\n",
                "404 Not Found\r\n\r\n",
                "SSH-2.0-OpenSSH_9.6\r\n",
                "\u0015\u0003\u0003\u0000\u0002\u0002\u0028"
            })
    void halfAnAnswerOrGarbageIsUnknown(String said) {
        try (var app = RawServer.sayingThenClosing(said)) {
            assertUnknown(probed(Sharers.http200(app.url())));
            assertUnknown(probed(Sharers.cautious(app.url())));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 404 Not Found\r\n"})
    void aConnectionThatIsResetIsUnknown(String saidBefore) {
        try (var app = new RawServer(connection -> {
            connection.readHead();
            connection.send(saidBefore);
            connection.reset();
        })) {
            assertUnknown(probed(Sharers.http200(app.url())));
        }
    }

    @Test
    void aRefusedConnectionIsUnknown() throws IOException {
        var url = urlOfAPortThatNobodyListensOn();

        assertUnknown(probed(Sharers.http200(url)));
        assertUnknown(probed(Sharers.cautious(url)));
    }

    @Test
    void aProxyDoesNotSpeakForTheApp() throws IOException {
        var machines = ProxySelector.getDefault();
        try (var proxy = RawServer.answering(head(502))) {
            ProxySelector.setDefault(ProxySelector.of(
                    new InetSocketAddress("localhost", proxy.url().getPort())));

            assertUnknown(probed(Sharers.http200(urlOfAPortThatNobodyListensOn())));
            assertThat(proxy.connections()).isZero();
        } finally {
            ProxySelector.setDefault(machines);
        }
    }

    @Test
    void aHostThatDoesNotExistIsUnknown() {
        assertUnknown(probed(Sharers.http200(URI.create("http://no-such-app.invalid/health"))));
    }

    @Test
    void aServerThatSpeaksNoTlsIsUnknownOverHttps() {
        try (var app = new RawServer(connection -> {
            connection.send(head(404));
            connection.readHead();
        })) {
            assertUnknown(probed(Sharers.http200(app.tlsUrl())));
        }
    }

    @Slow
    @Test
    void aCertificateThatNobodyVouchesForIsUnknown(@TempDir Path folder) throws Exception {
        try (var app = TestTls.in(folder).serve(exchange -> exchange.sendResponseHeaders(404, -1))) {
            var result = probed(Sharers.http200(app.url("/health")));

            assertUnknown(result);
            assertThat(result.detail()).startsWith("TLS failed: ");
        }
    }

    @Test
    void silenceIsUnknownAfterTheTimeout() {
        var hasty = ProbeSettings.PATIENT.withTimeout(Duration.ofMillis(300)).probes();
        try (var app = RawServer.silent()) {
            var result = hasty.probe(Sharers.http200(app.url())).await().atMost(PATIENCE);

            assertThat(result).isEqualTo(Result.unknown("no answer within 300 ms"));
        } finally {
            hasty.close();
        }
    }

    @Test
    void headersThatDripInAreUnknownAfterTheTimeout() {
        var hasty = ProbeSettings.PATIENT.withTimeout(Duration.ofMillis(300)).probes();
        try (var app = new RawServer(connection -> {
            connection.readHead();
            connection.send("HTTP/1.1 404 Not Found\r\n");
            // As fast as the probe takes them, so that it always has just heard something.
            while (true) {
                connection.send("X-More: to come\r\n");
                Thread.yield();
            }
        })) {
            assertUnknown(hasty.probe(Sharers.http200(app.url())).await().atMost(PATIENCE));
        } finally {
            hasty.close();
        }
    }

    @Test
    void theGetAfterAHeadThatIsNotAllowedHasOnlyTheTimeThatIsLeft() {
        var hasty = ProbeSettings.PATIENT.withTimeout(Duration.ofMillis(500)).probes();
        try (var app = new RawServer(connection -> {
            if (connection.readHead().startsWith("HEAD ")) {
                connection.send(head(405));
            } else {
                connection.untilClosed();
            }
        })) {
            var result = hasty.probe(Sharers.cautious(app.url())).await().atMost(PATIENCE);

            assertThat(result).isEqualTo(Result.unknown("no answer within 500 ms"));
        } finally {
            hasty.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 404})
    void everyLookHasAConnectionOfItsOwn(int code) {
        try (var app = RawServer.answering(head(code))) {
            for (var i = 0; i < 5; i++) {
                probed(Sharers.http200(app.url()));
            }

            assertThat(app.connections()).isEqualTo(5);
        }
    }

    @Test
    void whatAnAppSendsAfterItsAnswerIsNotTakenForTheNextAnswer() {
        try (var app = RawServer.answering(head(200) + head(404))) {
            for (var i = 0; i < 20; i++) {
                assertThat(probed(Sharers.http200(app.url())).status()).isEqualTo(UP);
            }
        }
    }

    @Test
    void anAppThatClosesItsConnectionsAfterAnsweringIsStillUp() {
        try (var app = RawServer.sayingThenClosing(head(200))) {
            for (var i = 0; i < 20; i++) {
                assertThat(probed(Sharers.http200(app.url())).status()).isEqualTo(UP);
            }
        }
    }

    @Test
    void aDetailIsOneLineWhateverTheAppSaid() {
        try (var app = RawServer.sayingThenClosing("HTTP/1.1 \u0007\u001b[31mred" + "x".repeat(5000) + "\r\n\r\n")) {
            var detail = probed(Sharers.http200(app.url())).detail();

            assertThat(detail).hasSizeLessThan(300).doesNotContainPattern("\\p{Cntrl}");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_200", "HTTP_CAUTIOUS"})
    void anAppWithoutUrlIsUnknownAndSaysSo(ProbePolicy policy) {
        var result = probed(Sharers.withoutUrl(policy));

        assertThat(result).isEqualTo(Result.unknown("no probe is configured: the app has no url"));
    }

    private Result probed(Sharer app) {
        return probes.probe(app).await().atMost(PATIENCE);
    }

    private static void assertUnknown(Result result) {
        assertThat(result.status()).as(result.detail()).isEqualTo(UNKNOWN);
        assertThat(result.httpCode()).isEqualTo(Optional.empty());
    }

    private static String head(int code) {
        var length = code == 204 || code == 304 ? "" : "Content-Length: 0\r\n";
        return "HTTP/1.1 " + code + " Whatever\r\n" + length + "\r\n";
    }

    private static URI urlOfAPortThatNobodyListensOn() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://localhost:" + taken.getLocalPort() + "/");
        }
    }
}
