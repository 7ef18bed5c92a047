package io.holdfast.lifecycle.model;

import static io.holdfast.lifecycle.model.ServiceStatus.DEPLOYING;
import static io.holdfast.lifecycle.model.ServiceStatus.FAILED;
import static io.holdfast.lifecycle.model.ServiceStatus.IDLE;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.model.ServiceStatus.STOPPED;
import static io.holdfast.lifecycle.port.LifecycleFixtures.DEADLINE;
import static io.holdfast.lifecycle.port.LifecycleFixtures.inStatus;
import static io.holdfast.lifecycle.port.LifecycleFixtures.seen;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExpectedStatusTest {
    private static final Instant OVERDUE = NOON.plus(DEADLINE);

    /** Every row of the table. The deployment of DEPLOYING is past its deadline. */
    @ParameterizedTest
    @CsvSource({
        "IDLE,      RUNNING,  RUNNING",
        "IDLE,      CRASHING, CRASHING",
        "IDLE,      STOPPED,  IDLE",
        "IDLE,      ABSENT,   IDLE",
        "IDLE,      UNKNOWN,  IDLE",
        "DEPLOYING, RUNNING,  RUNNING",
        "DEPLOYING, CRASHING, CRASHING",
        "DEPLOYING, STOPPED,  FAILED",
        "DEPLOYING, ABSENT,   FAILED",
        "DEPLOYING, UNKNOWN,  DEPLOYING",
        "RUNNING,   RUNNING,  RUNNING",
        "RUNNING,   CRASHING, CRASHING",
        "RUNNING,   STOPPED,  STOPPED",
        "RUNNING,   ABSENT,   STOPPED",
        "RUNNING,   UNKNOWN,  RUNNING",
        "STOPPED,   RUNNING,  RUNNING",
        "STOPPED,   CRASHING, CRASHING",
        "STOPPED,   STOPPED,  STOPPED",
        "STOPPED,   ABSENT,   STOPPED",
        "STOPPED,   UNKNOWN,  STOPPED",
        "FAILED,    RUNNING,  RUNNING",
        "FAILED,    CRASHING, CRASHING",
        "FAILED,    STOPPED,  FAILED",
        "FAILED,    ABSENT,   FAILED",
        "FAILED,    UNKNOWN,  FAILED",
        "CRASHING,  RUNNING,  RUNNING",
        "CRASHING,  CRASHING, CRASHING",
        "CRASHING,  STOPPED,  STOPPED",
        "CRASHING,  ABSENT,   STOPPED",
        "CRASHING,  UNKNOWN,  CRASHING",
    })
    void whatIsSeenDecides(ServiceStatus status, Observation.State state, ServiceStatus expected) {
        var found = ExpectedStatus.of(inStatus(status, NOON), seen(state), OVERDUE);

        assertThat(found).isEqualTo(Optional.of(expected).filter(different -> different != status));
    }

    @ParameterizedTest
    @EnumSource(Observation.State.class)
    void aDeploymentIsLeftAloneUntilItsDeadline(Observation.State state) {
        var deploying = inStatus(DEPLOYING, NOON);

        assertThat(ExpectedStatus.of(deploying, seen(state), OVERDUE.minusMillis(1)))
                .isEmpty();
    }

    @Test
    void aServiceWhoseLatestDeploymentFailedIsFailedWhenNothingOfItRunsAnyMore() {
        var repaired = inStatus(FAILED, NOON).movedTo(RUNNING, false, Writer.RECONCILER, NOON);

        assertThat(ExpectedStatus.of(repaired, seen(Observation.State.STOPPED), NOON))
                .contains(FAILED);
    }

    @Test
    void aServiceThatRunsAndWasNeverDeployedIsIdleWhenItIsGone() {
        var found = inStatus(IDLE, NOON).movedTo(RUNNING, false, Writer.RECONCILER, NOON);

        assertThat(ExpectedStatus.of(found, seen(Observation.State.ABSENT), NOON))
                .contains(IDLE);
    }

    @Test
    void theDeploymentThatWasRolledBackHasNotFailed() {
        var rolledBack = inStatus(DEPLOYING, NOON).movedTo(RUNNING, true, Writer.WORKER, NOON);

        assertThat(ExpectedStatus.of(rolledBack, seen(Observation.State.STOPPED), NOON.plus(Duration.ofHours(1))))
                .contains(STOPPED);
    }
}
