package io.holdfast.cli.work;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeartbeatScheduleTest {
    private static final long SENT = SECONDS.toNanos(1000);
    private static final long LEASE = SECONDS.toNanos(60);
    private static final long SOON = MILLISECONDS.toNanos(5);
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final HeartbeatSchedule schedule = claimed(SENT + SOON);

    @Test
    void theDeadlineCountsFromBeforeTheRequest() {
        assertThat(schedule.isConfirmed()).isTrue();
        assertThat(schedule.deadline()).isEqualTo(SENT + LEASE);
        assertThat(schedule.stopAt()).isEqualTo(SENT + LEASE - MARGIN.toNanos());
        assertThat(schedule.dueAt()).isEqualTo(SENT + EVERY.toNanos());

        var beat = SENT + EVERY.toNanos();
        schedule.sending(beat);
        schedule.answered(beat, LEASE);

        assertThat(schedule.deadline()).isEqualTo(beat + LEASE);
        assertThat(schedule.dueAt()).isEqualTo(beat + EVERY.toNanos());
    }

    @Test
    void aHandlerIsKilledShortlyBeforeTheLeaseExpires() {
        assertThat(schedule.killAt()).isEqualTo(SENT + LEASE - MILLISECONDS.toNanos(500));
        assertThat(schedule.killAt()).isGreaterThan(schedule.stopAt());
    }

    /** The service counts from its answer, and nothing tells when it has sent it. */
    @Test
    void aClaimThatHasWaitedForLongIsConfirmedFirst() {
        var received = SENT + LEASE / 2;
        var waited = claimed(received);

        assertThat(waited.isConfirmed()).isFalse();
        assertThat(waited.dueAt()).isEqualTo(received);

        waited.sending(received);
        waited.answered(received, LEASE);

        assertThat(waited.isConfirmed()).isTrue();
        assertThat(waited.deadline()).isEqualTo(received + LEASE);
    }

    @Test
    void progressIsSentAtOnceButAtMostOncePerSecond() {
        schedule.progressed();
        assertThat(schedule.dueAt()).isEqualTo(SENT + SECONDS.toNanos(1));

        var first = SENT + SECONDS.toNanos(3);
        schedule.sending(first);
        schedule.answered(first, LEASE);
        assertThat(schedule.dueAt()).isEqualTo(first + EVERY.toNanos());

        schedule.progressed();
        assertThat(schedule.dueAt()).isEqualTo(first + SECONDS.toNanos(1));

        schedule.withoutProgress();
        assertThat(schedule.dueAt()).isEqualTo(first + EVERY.toNanos());
    }

    @Test
    void aFailedHeartbeatIsRepeatedSoonAndThenLessOften() {
        var now = SENT + EVERY.toNanos();
        schedule.sending(now);
        schedule.failed(now, false);
        assertThat(schedule.dueAt() - now).isBetween(MILLISECONDS.toNanos(500), SECONDS.toNanos(1));
        assertThat(schedule.deadline()).isEqualTo(SENT + LEASE);

        for (var i = 0; i < 10; i++) {
            schedule.failed(now, false);
        }
        assertThat(schedule.dueAt() - now).isBetween(SECONDS.toNanos(5), SECONDS.toNanos(10));
    }

    @Test
    void progressDoesNotShortenThePauseAfterAFailure() {
        var now = SENT + EVERY.toNanos();
        schedule.sending(now);
        for (var i = 0; i < 10; i++) {
            schedule.failed(now, true);
        }
        schedule.progressed();

        assertThat(schedule.dueAt() - now).isGreaterThanOrEqualTo(SECONDS.toNanos(5));
    }

    /** Close to its deadline the service extends the lease by less and less. */
    @Test
    void theNextHeartbeatComesWhileHalfOfTheLeaseIsLeft() {
        var beat = SENT + EVERY.toNanos();
        schedule.sending(beat);
        schedule.answered(beat, SECONDS.toNanos(8));

        assertThat(schedule.dueAt()).isEqualTo(beat + SECONDS.toNanos(4));
    }

    private static HeartbeatSchedule claimed(long received) {
        return new HeartbeatSchedule(FakeClaims.claimed(SENT, received, LEASE), EVERY, MARGIN);
    }
}
