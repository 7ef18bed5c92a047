package io.holdfast.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerStopTest {
    private static final Duration GRACE = Duration.ofHours(1);
    private static final int TERM = 15;

    private final WorkerStop stop = new WorkerStop();

    @Test
    void theFirstSignalLeavesTheHandlersTheirGrace() {
        assertThat(stop.nanosLeft(GRACE)).isEqualTo(Long.MAX_VALUE);

        stop.signalled(TERM, false);

        assertThat(stop.isRequested()).isTrue();
        assertThat(stop.isUrgent()).isFalse();
        assertThat(stop.nanosLeft(GRACE)).isPositive().isLessThanOrEqualTo(GRACE.toNanos());
        assertThat(stop.reportNanosLeft(System.nanoTime(), GRACE)).isPositive();
        assertThat(stop.exit()).isZero();
    }

    @Test
    void theSecondOneDoesNot() {
        stop.signalled(TERM, true);
        stop.signalled(TERM, false);

        assertThat(stop.isUrgent()).isTrue();
        assertThat(stop.nanosLeft(GRACE)).isZero();
        assertThat(stop.reportNanosLeft(0, GRACE)).isLessThan(GRACE.toNanos());
        assertThat(stop.hasReachedHandlers()).isTrue();
        assertThat(stop.exit()).isEqualTo(143);
    }

    @Test
    void aWorkerThatCannotGoOnRequestsTheStopOnce() {
        var calls = new AtomicInteger();
        stop.onRequest(calls::incrementAndGet);

        stop.request();
        stop.request();

        assertThat(calls).hasValue(1);
        assertThat(stop.isUrgent()).isFalse();
    }
}
