package io.holdfast.probe;

import static io.holdfast.power.model.AppStatus.DOWN;
import static io.holdfast.power.model.AppStatus.UNKNOWN;
import static io.holdfast.power.model.AppStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.registry.ProbePolicy;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConfirmationsTest {
    private static final String UP_ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    private static final String DOWN_ANSWER = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    private static final String GARBAGE = "!\r\n\r\n";

    private final Probes probes = ProbeSettings.PATIENT.probes();

    @AfterEach
    void close() {
        probes.close();
    }

    @Test
    void downIsSaidAfterAsManyLooksAsTheAppAsksFor() {
        try (var app = RawServer.sayingThenClosing(DOWN_ANSWER)) {
            var result = probed(app, 3);

            assertThat(result.status()).isEqualTo(DOWN);
            assertThat(result.detail()).isEqualTo("HEAD was answered with 404, 3 times in a row");
            assertThat(app.heads()).hasSize(3);
        }
    }

    @Test
    void oneConfirmationIsOneLook() {
        try (var app = RawServer.sayingThenClosing(DOWN_ANSWER)) {
            assertThat(probed(app, 1).status()).isEqualTo(DOWN);
            assertThat(app.heads()).hasSize(1);
        }
    }

    @Test
    void upNeedsNoSecondLook() {
        try (var app = RawServer.sayingThenClosing(UP_ANSWER)) {
            assertThat(probed(app, 3).status()).isEqualTo(UP);
            assertThat(app.heads()).hasSize(1);
        }
    }

    @Test
    void theFirstUpAmongDownsWinsAndEndsIt() {
        try (var app = saying(DOWN_ANSWER, DOWN_ANSWER, UP_ANSWER, DOWN_ANSWER)) {
            assertThat(probed(app, 4).status()).isEqualTo(UP);
            assertThat(app.heads()).hasSize(3);
        }
    }

    @Test
    void theFirstUnknownAmongDownsWinsAndEndsIt() {
        try (var app = saying(DOWN_ANSWER, GARBAGE, DOWN_ANSWER, DOWN_ANSWER)) {
            assertThat(probed(app, 3).status()).isEqualTo(UNKNOWN);
            assertThat(app.heads()).hasSize(2);
        }
    }

    @Test
    void aQuickLookIsNotConfirmed() {
        try (var app = RawServer.sayingThenClosing(DOWN_ANSWER)) {
            var sharer = Sharers.http(ProbePolicy.HTTP_200, app.url(), 3);

            assertThat(probes.probeOnce(sharer)
                            .await()
                            .atMost(Duration.ofSeconds(90))
                            .status())
                    .isEqualTo(DOWN);
            assertThat(app.heads()).hasSize(1);
        }
    }

    private Result probed(RawServer app, int confirmations) {
        return probes.probe(Sharers.http(ProbePolicy.HTTP_200, app.url(), confirmations))
                .await()
                .atMost(Duration.ofSeconds(90));
    }

    private static RawServer saying(String... answers) {
        Iterator<String> next = List.of(answers).iterator();
        return new RawServer(connection -> {
            connection.readHead();
            connection.send(next.next());
        });
    }
}
