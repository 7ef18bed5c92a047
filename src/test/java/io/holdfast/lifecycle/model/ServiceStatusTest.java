package io.holdfast.lifecycle.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.InvalidInputException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ServiceStatusTest {
    @Test
    void theLegalMovesAreThese() {
        var table = Arrays.stream(ServiceStatus.values())
                .map(from ->
                        from + " -> " + from.allowed().stream().map(Enum::name).collect(Collectors.joining(", ")))
                .collect(Collectors.joining("\n"));

        assertThat(table)
                .isEqualTo(
                        """
                        IDLE -> DEPLOYING
                        DEPLOYING -> RUNNING, STOPPED, FAILED
                        RUNNING -> DEPLOYING, STOPPED, FAILED, CRASHING
                        STOPPED -> DEPLOYING, RUNNING
                        FAILED -> DEPLOYING, RUNNING, STOPPED
                        CRASHING -> DEPLOYING, RUNNING, STOPPED, FAILED""");
    }

    @Test
    void noStatusMovesToItself() {
        assertThat(ServiceStatus.values()).noneMatch(status -> status.canMoveTo(status));
    }

    @Test
    void anUnknownStatusIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> ServiceStatus.of("status", "running"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("RUNNING");
    }

    @Test
    void aServiceCannotHaveTheNameOfAPath() {
        assertThatThrownBy(() -> new ServiceId("events")).isInstanceOf(InvalidInputException.class);
        assertThat(new ServiceId("events-api").lock()).hasToString("SERVICE#events-api");
    }
}
