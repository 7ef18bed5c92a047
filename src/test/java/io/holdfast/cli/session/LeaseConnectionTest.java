package io.holdfast.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.HoldingServer;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lease is kept by connections, and what those say is believed as far as it can be true. */
class LeaseConnectionTest {
    private static final Instant START = Instant.parse("2026-01-05T14:32:15Z");
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final Duration OFTEN = Duration.ofMillis(50);

    private HoldingServer server;

    @BeforeEach
    void serve() throws IOException {
        server = new HoldingServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /**
     * By the service's clock, which was set back, the lease ends ever sooner; by what is left of it, it is renewed as it
     * should be. A connection that is new says how it is.
     */
    @Slow
    @Test
    void aClockThatIsSetBackCostsAConnectionAndNotTheLease() throws InterruptedException {
        try (var monitor = LeaseMonitorTest.start(server.url(), SHORT, Duration.ZERO)) {
            var first = server.opened(SOON);
            first.acquired(START.plus(SHORT), SHORT);
            var setBack = START.plus(SHORT).minus(LONG);
            HoldingServer.Hold second = null;
            while (second == null && monitor.loss().isEmpty()) {
                first.tick(setBack, SHORT);
                second = server.opened(OFTEN);
            }

            assertThat(monitor.loss()).isEmpty();
            second.acquired(setBack, SHORT);

            await().atMost(SOON).until(() -> !first.tick(setBack, SHORT));
            assertThat(monitor.loss()).isEmpty();
        }
    }

    /** Otherwise the service would not notice soon that this client was cut off. */
    @Test
    void aConnectionAsksForPadding() throws InterruptedException {
        try (var monitor = LeaseMonitorTest.start(server.url(), LONG, Duration.ZERO)) {
            var opened = server.opened(SOON);

            assertThat(opened.exchange().getRequestURI().getQuery()).contains("padding=true");
            assertThat(monitor.loss()).isEmpty();
        }
    }

    /** Whoever gives the lease back would find that the service has done so itself, and take that for a loss. */
    @Test
    void aConnectionStaysUntilTheLeaseIsGivenBack() throws InterruptedException {
        HoldingServer.Hold hold;
        try (var monitor = LeaseMonitorTest.start(server.url(), LONG, Duration.ZERO)) {
            hold = server.opened(SOON);
            hold.acquired(START.plus(LONG), LONG);
            monitor.awaitAllHeld(() -> false);

            monitor.stopMonitoring();
            hold.tick(START.plus(LONG), LONG);

            await().atMost(SOON).until(LeaseConnectionTest::keeperWaitsForTheEnd);
            assertThat(hold.tick(START.plus(LONG), LONG)).isTrue();
        }
        await().atMost(SOON).until(() -> !hold.tick(START.plus(LONG), LONG));
    }

    private static boolean keeperWaitsForTheEnd() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals("lease-a"))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getMethodName().equals("awaitClose"));
    }
}
