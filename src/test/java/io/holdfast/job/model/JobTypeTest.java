package io.holdfast.job.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.InvalidInputException;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

public class JobTypeTest {
    /** Every transition that is allowed: the job, the status in which it starts, and the statuses that it leads to. */
    private static final Set<String> TRANSITIONS =
            """
            CREATE PENDING -> CREATING -> READY
            DESTROY READY -> DESTROYING -> DESTROYED
            DESTROY FAILED -> DESTROYING -> DESTROYED
            SCALE_WORKERS READY -> SCALING -> READY
            JANITOR_DESTROY READY -> DESTROYING -> DESTROYED
            JANITOR_DESTROY FAILED -> DESTROYING -> DESTROYED
            """
                    .lines()
                    .collect(Collectors.toSet());

    public static Stream<Arguments> everyTypeAndStatus() {
        return Arrays.stream(JobType.values())
                .flatMap(type -> Arrays.stream(ClusterStatus.values()).map(status -> Arguments.of(type, status)));
    }

    @ParameterizedTest
    @MethodSource("everyTypeAndStatus")
    void aJobStartsOnlyWhereTheTableSaysSo(JobType type, ClusterStatus status) {
        var transition = type + " " + status + " -> " + type.during() + " -> " + type.done();

        assertThat(type.startsFrom(status)).isEqualTo(TRANSITIONS.contains(transition));
    }

    @Test
    void theTableHasNoOtherTransition() {
        var possible = Arrays.stream(JobType.values())
                .mapToLong(type -> Arrays.stream(ClusterStatus.values())
                        .filter(type::startsFrom)
                        .count())
                .sum();

        assertThat(possible).isEqualTo(TRANSITIONS.size());
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, CREATING",
        "READY, SCALING DESTROYING",
        "FAILED, DESTROYING",
        "CREATING, ''",
        "SCALING, ''",
        "DESTROYING, ''",
        "DESTROYED, ''"
    })
    void aStatusTellsWhatAJobCanLeadTo(ClusterStatus status, String allowed) {
        var expected = Arrays.stream(allowed.split(" "))
                .filter(name -> !name.isEmpty())
                .map(ClusterStatus::valueOf)
                .toList();

        assertThat(status.allowed()).containsExactlyElementsOf(expected);
    }

    @Test
    void bothKindsOfDestroyDestroy() {
        assertThat(Arrays.stream(JobType.values()).filter(JobType::destroys))
                .containsExactly(JobType.DESTROY, JobType.JANITOR_DESTROY);
    }

    @Test
    void anUnknownTypeOrStatusIsRefused() {
        assertThat(JobType.of("type", "CREATE")).isEqualTo(JobType.CREATE);
        assertThat(JobStatus.of("status", "DEAD")).isEqualTo(JobStatus.DEAD);
        assertThat(ClusterStatus.of("status", "READY")).isEqualTo(ClusterStatus.READY);
        assertThatThrownBy(() -> JobType.of("type", "create")).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> JobStatus.of("status", "")).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> ClusterStatus.of("status", "GONE")).isInstanceOf(InvalidInputException.class);
    }
}
