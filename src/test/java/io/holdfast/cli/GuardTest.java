package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.wire.LockBody;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who watches over leases hears of every change, and of those that nobody confirms. */
class GuardTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** Between looking and waiting, something happens. */
    @Test
    @Timeout(60)
    void aChangeBeforeTheWaitIsNotMissed() throws InterruptedException {
        try (var guard = keeping(LONG, Duration.ZERO)) {
            guard.changed();

            guard.await(LONG);
        }
    }

    @Test
    void aLeaseThatNobodyConfirmsIsLostBeforeItEnds() {
        try (var guard = keeping(Duration.ofSeconds(9), Duration.ofSeconds(10))) {
            assertThat(guard.loss())
                    .hasValueSatisfying(loss -> assertThat(loss).startsWith("Lock 'a' was not confirmed in time."));
        }
    }

    @Test
    void whatIsOnceLostStaysLost() {
        try (var guard = keeping(LONG, Duration.ZERO)) {
            assertThat(guard.loss()).isEmpty();

            guard.lost("first");
            guard.lost("second");

            assertThat(guard.loss()).contains("first");
        }
    }

    private static Api api(String server) {
        return new Api(server, new Patience(Duration.ofSeconds(30), true));
    }

    /** At an address where nobody is. */
    static Guard keeping(Duration left, Duration headroom) {
        return keeping("http://localhost:1", left, headroom);
    }

    /** A lease of so long that has only just begun. */
    static Guard keeping(String server, Duration left, Duration headroom) {
        var lock = new LockBody(
                "a",
                "id",
                "ada",
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
        var taken = new Taker.Taken(null, List.of(lock), true, System.nanoTime());
        return Guard.keeping(api(server), taken, headroom, OutageNotes.NONE);
    }
}
