package io.holdfast.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.Timeouts;
import io.holdfast.cli.output.OutageNotes;
import io.holdfast.http.wire.lock.LockBody;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who watches over leases hears of every change, and of those that nobody confirms. */
class LeaseMonitorTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** Between looking and waiting, something happens. */
    @Test
    @Timeout(60)
    void aChangeBeforeTheWaitIsNotMissed() throws InterruptedException {
        try (var monitor = start(LONG, Duration.ZERO)) {
            monitor.changed();

            monitor.await(LONG);
        }
    }

    @Test
    void aLeaseThatNobodyConfirmsIsLostBeforeItEnds() {
        try (var monitor = start(Duration.ofSeconds(9), Duration.ofSeconds(10))) {
            assertThat(monitor.loss())
                    .hasValueSatisfying(loss -> assertThat(loss).startsWith("Lock 'a' was not confirmed in time."));
        }
    }

    @Test
    void whatIsOnceLostStaysLost() {
        try (var monitor = start(LONG, Duration.ZERO)) {
            assertThat(monitor.loss()).isEmpty();

            monitor.lost("first");
            monitor.lost("second");

            assertThat(monitor.loss()).contains("first");
        }
    }

    private static ApiClient api(String server) {
        return new ApiClient(server, new Timeouts(Duration.ofSeconds(30), true));
    }

    /** At an address where nobody is. */
    static LeaseMonitor start(Duration left, Duration safetyMargin) {
        return start("http://localhost:1", left, safetyMargin);
    }

    /** A lease of so long that has only just begun. */
    static LeaseMonitor start(String server, Duration left, Duration safetyMargin) {
        var lock = new LockBody(
                "a",
                "id",
                "ada",
                null,
                1,
                "active",
                "generic",
                "",
                "",
                left.toMillis(),
                left.toMillis(),
                0,
                null,
                Map.of(),
                null,
                null,
                null,
                null,
                null,
                0,
                null);
        var taken = new AcquiredLocks(null, List.of(lock), true, System.nanoTime());
        return LeaseMonitor.start(api(server), taken, safetyMargin, OutageNotes.NONE);
    }
}
