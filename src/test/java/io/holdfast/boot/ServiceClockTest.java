package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ServiceClockTest {
    private static final Instant NOON = Instant.parse("2099-03-01T12:00:00Z");

    private final AtomicReference<Instant> machine = new AtomicReference<>(NOON);
    private final ServiceClock clock = new ServiceClock(machine::get);

    @Test
    void itShowsTheMachinesTimeInMilliseconds() {
        machine.set(NOON.plusNanos(1_999_999));

        assertThat(clock.instant()).isEqualTo(NOON.plusMillis(1));
    }

    @Test
    void itStandsStillWhenTheMachinesClockIsSetBackALittle() {
        clock.instant();
        machine.set(NOON.minusSeconds(60));
        assertThat(clock.instant()).isEqualTo(NOON);
        machine.set(NOON.minusMillis(1));
        assertThat(clock.instant()).isEqualTo(NOON);

        machine.set(NOON.plusMillis(1));

        assertThat(clock.instant()).isEqualTo(NOON.plusMillis(1));
    }

    @Test
    void itFollowsAClockThatIsSetBackFurther() {
        clock.instant();
        machine.set(NOON.minusSeconds(60).minusMillis(1));

        assertThat(clock.instant()).isEqualTo(machine.get());
    }

    @Test
    void itFollowsAClockThatIsSetForward() {
        clock.instant();
        machine.set(NOON.plusSeconds(3_600));

        assertThat(clock.instant()).isEqualTo(machine.get());
    }

    /** The store knows the time: what the clock showed before it was known counts no more. */
    @Test
    void itIsCorrectedByAStoreThatKnowsTheTime() {
        clock.instant();

        clock.correctBy(() -> Duration.ofSeconds(-20));

        assertThat(clock.instant()).isEqualTo(NOON.minusSeconds(20));
    }
}
