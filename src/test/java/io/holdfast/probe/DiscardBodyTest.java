package io.holdfast.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscardBodyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "200 OK\r\nContent-Length: 0\r\n\r\n",
                "200 OK\r\nContent-Length: 2\r\n\r\nok",
                "204 No Content\r\n\r\n",
                "304 Not Modified\r\n\r\n"
            })
    void aConnectionWhoseBodyWasRefusedIsNotUsedAgain(String answer) {
        try (var app = RawServer.answering("HTTP/1.1 " + answer);
                var client = HeadersOnly.client(Duration.ofSeconds(20)).build()) {
            var request = HttpRequest.newBuilder(app.url()).build();
            for (var i = 0; i < 3; i++) {
                var answered = new CompletableFuture<Integer>();
                var exchange = client.sendAsync(request, info -> {
                    answered.complete(info.statusCode());
                    return new DiscardBody();
                });
                assertThat(answered.orTimeout(30, TimeUnit.SECONDS).join())
                        .isEqualTo(Integer.parseInt(answer.substring(0, 3)));
                exchange.handle((response, failure) -> failure)
                        .orTimeout(30, TimeUnit.SECONDS)
                        .join();
            }

            assertThat(app.connections()).isEqualTo(3);
        }
    }
}
