package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Why a call ended without an answer. */
class FailuresTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void aConnectionThatIsRefusedIsSaidToBe() throws Exception {
        int port;
        try (var closed = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port))
                .timeout(TIMEOUT)
                .build();
        try (var client = HttpClient.newHttpClient()) {
            var failure = client.sendAsync(request, BodyHandlers.discarding())
                    .handle((answer, thrown) -> thrown)
                    .get();

            assertThat(Failures.sentence(failure, TIMEOUT)).isEqualTo("no connection: connection refused");
        }
    }

    @Test
    void theReasonMayBeThatOfACause() {
        var failure = new ConnectException();
        failure.initCause(new IOException("Network is unreachable"));

        assertThat(Failures.sentence(failure, TIMEOUT)).isEqualTo("no connection: Network is unreachable");
    }

    @Test
    void aFailureWithoutAMessageIsNamedByItsType() {
        assertThat(Failures.sentence(new IOException(), TIMEOUT)).isEqualTo("no valid answer: IOException");
    }
}
