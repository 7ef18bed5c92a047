package io.holdfast.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeoutsTest {
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration LONGER = Duration.ofMinutes(2);

    @Test
    void whatWaitsForOthersMayTakeLongerUnlessSomebodyHasSaidHowLong() {
        assertThat(new Timeouts(ANSWER, false).forSlow(LONGER)).isEqualTo(Duration.ofSeconds(130));
        assertThat(new Timeouts(ANSWER, true).forSlow(LONGER)).isEqualTo(ANSWER);
    }
}
