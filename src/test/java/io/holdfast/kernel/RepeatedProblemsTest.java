package io.holdfast.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.RepeatedProblems.Ended;
import io.holdfast.kernel.RepeatedProblems.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class RepeatedProblemsTest {
    private static final Instant NOON = Instant.parse("2025-03-01T12:00:00Z");
    private static final Duration PASS = Duration.ofSeconds(30);

    private final RepeatedProblems<String> problems = new RepeatedProblems<>();

    @Test
    void aProblemIsReportedWhenItBeginsAndThenAtDoublingIntervals() {
        var reported = new ArrayList<Long>();
        for (var at = NOON; at.isBefore(NOON.plus(Duration.ofHours(4))); at = at.plus(PASS)) {
            var minute = Duration.between(NOON, at).toMinutes();
            problems.occurred("db", "no credentials", at).ifPresent(report -> reported.add(minute));
        }

        assertThat(reported).containsExactly(0L, 1L, 3L, 7L, 15L, 31L, 63L, 123L, 183L);
    }

    @Test
    void aRepeatSaysHowOftenAndSinceWhen() {
        assertThat(problems.occurred("db", "x", NOON)).contains(new Report(1, NOON));
        assertThat(problems.occurred("db", "x", NOON.plusSeconds(30))).isEmpty();

        var repeat = problems.occurred("db", "x", NOON.plusSeconds(60)).orElseThrow();

        assertThat(repeat.suffix()).isEqualTo(" times=3 since=" + NOON);
        assertThat(new Report(1, NOON).suffix()).isEmpty();
    }

    @Test
    void theEndIsReportedOnceAndTheNextProblemBeginsAnew() {
        problems.occurred("db", "x", NOON);
        problems.occurred("db", "x", NOON.plusSeconds(30));

        assertThat(problems.ended("db", NOON.plusSeconds(40))).contains(new Ended(2, Duration.ofSeconds(40)));
        assertThat(problems.ended("db", NOON.plusSeconds(50))).isEmpty();
        assertThat(problems.occurred("db", "x", NOON.plusSeconds(60))).contains(new Report(1, NOON.plusSeconds(60)));
    }

    @Test
    void anotherCauseIsReportedWithoutWaitingForTheInterval() {
        problems.occurred("db", "x", NOON);
        problems.occurred("db", "x", NOON.plusSeconds(60));

        assertThat(problems.occurred("db", "y", NOON.plusSeconds(90))).isEmpty();
        assertThat(problems.occurred("db", "y", NOON.plusSeconds(120))).isPresent();
        assertThat(problems.occurred("db", "y", NOON.plusSeconds(180))).isPresent();
    }

    @Test
    void aTextThatChangesEveryTimeDoesNotFloodTheLog() {
        var reported = 0;
        for (var second = 0; second < 600; second++) {
            if (problems.occurred("db", "request " + second, NOON.plusSeconds(second))
                    .isPresent()) {
                reported++;
            }
        }

        assertThat(reported).isEqualTo(10);
    }

    @Test
    void whatHasNotOccurredForLongBeginsAnew() {
        problems.occurred("db", "x", NOON);
        var later = NOON.plus(Duration.ofHours(3));

        assertThat(problems.occurred("db", "x", later)).contains(new Report(1, later));
    }

    @Test
    void onlySoManyProblemsAreRemembered() {
        for (var i = 0; i <= RepeatedProblems.PROBLEMS_MAX; i++) {
            problems.occurred("db" + i, "x", NOON);
        }

        assertThat(problems.occurred("db" + RepeatedProblems.PROBLEMS_MAX, "x", NOON))
                .isEmpty();
        assertThat(problems.occurred("db0", "x", NOON)).isPresent();
    }
}
