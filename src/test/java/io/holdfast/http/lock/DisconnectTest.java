package io.holdfast.http.lock;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.actuator.LogLines;
import io.holdfast.http.Calls;
import io.holdfast.http.RawHttp;
import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients disconnect all the time: that is worth no line of the log but one at DEBUG. */
@QuarkusTest
@OnQuarkus
class DisconnectTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/locks/disconnect, false",
        "DELETE, /v1/locks/disconnect?lock_id=123e4567-e89b-42d3-a456-426614174000&owner=ada, false",
        "POST, /v1/apps/disconnect/stop, false",
        "GET, /v1/locks/disconnect/hold?owner=ada, false",
        "GET, /v1/locks/disconnect, true",
        "POST, /v1/apps/disconnect/stop, true",
    })
    void aClientThatDisconnectsBeforeItsChunksEndIsNoError(String method, String path, boolean reset)
            throws IOException {
        try (var log = new LogLines("io.holdfast.http")) {
            try (var exchange = RawHttp.begin(RestAssured.port, chunked(method, path, ""))) {
                hangUp(exchange.socket(), reset);
            }

            await().atMost(PATIENCE).until(() -> !log.records().isEmpty());
            assertThat(log.records()).allSatisfy(line -> {
                assertThat(line.getLevel().intValue()).isLessThan(Level.INFO.intValue());
                assertThat(line.getThrown()).isNull();
            });
        }
        assertThat(Calls.get("/v1/locks/disconnect").statusCode()).isEqualTo(404);
    }

    @Test
    void chunksThatAreNoneAreNoErrorOfTheService() throws IOException {
        try (var log = new LogLines("io.holdfast.http")) {
            RawHttp.send(RestAssured.port, chunked("POST", "/v1/apps/disconnect/stop", "zz\r\nabc\r\n"));

            await().atMost(PATIENCE).until(() -> !log.records().isEmpty());
            assertThat(log.records())
                    .allSatisfy(line -> assertThat(line.getLevel().intValue()).isLessThan(Level.INFO.intValue()));
        }
    }

    /** Load balancers check a port by a connection that they reset. Netty would write a stack trace for each. */
    @Test
    void connectionsThatAreResetBeforeTheirFirstRequestAreNotLogged() {
        var pipeline = Logger.getLogger("io.netty.channel.DefaultChannelPipeline");

        assertThat(pipeline.isLoggable(Level.WARNING)).isFalse();
        assertThat(pipeline.isLoggable(Level.SEVERE)).isTrue();
    }

    private static byte[] chunked(String method, String path, String chunks) {
        return "%s %s HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n%s"
                .formatted(method, path, chunks)
                .getBytes(US_ASCII);
    }

    /** @param reset without the farewell of TCP, as a process that is killed with data unread does */
    private static void hangUp(Socket socket, boolean reset) throws IOException {
        if (reset) {
            socket.setSoLinger(true, 0);
        }
        socket.close();
    }
}
