package io.holdfast.lifecycle.port;

import static io.holdfast.lifecycle.model.ServiceStatus.DEPLOYING;
import static io.holdfast.lifecycle.model.ServiceStatus.FAILED;
import static io.holdfast.lifecycle.model.ServiceStatus.IDLE;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.model.ServiceStatus.STOPPED;
import static io.holdfast.lifecycle.port.LifecycleFixtures.DEADLINE;
import static io.holdfast.lifecycle.port.LifecycleFixtures.RULES;
import static io.holdfast.lifecycle.port.LifecycleFixtures.SPEC;
import static io.holdfast.lifecycle.port.LifecycleFixtures.anId;
import static io.holdfast.lifecycle.port.LifecycleFixtures.deploy;
import static io.holdfast.lifecycle.port.LifecycleFixtures.inStatus;
import static io.holdfast.lifecycle.port.LifecycleFixtures.repair;
import static io.holdfast.lifecycle.port.LifecycleFixtures.result;
import static io.holdfast.lifecycle.port.LifecycleFixtures.seen;
import static io.holdfast.lifecycle.port.LifecycleFixtures.set;
import static io.holdfast.lifecycle.port.LifecycleFixtures.written;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LifecycleRulesTest {
    private static final Instant LATER = NOON.plusSeconds(60);

    private static WriteOutcome decided(Service service, StatusWrite write) {
        return decided(service, write, LATER);
    }

    /** A refusal changes nothing; a change leads from the service that was read to the next version. */
    private static WriteOutcome decided(Service service, StatusWrite write, Instant now) {
        var decision = RULES.decide(service, write, now);
        var isChange = decision.outcome() instanceof WriteOutcome.Written;
        assertThat(decision.change().isPresent()).isEqualTo(isChange);
        decision.change().ifPresent(change -> {
            assertThat(change.before()).contains(service);
            assertThat(change.move().version()).isEqualTo(service.version() + 1);
            assertThat(change.move().from()).contains(service.status());
            assertThat(change.move().cause().by()).isEqualTo(write.by());
            assertThat(change.after().map(Service::version).orElse(service.version() + 1))
                    .isEqualTo(service.version() + 1);
            assertThat(change.move().to()).isEqualTo(change.after().map(Service::status));
        });
        return decision.outcome();
    }

    @ParameterizedTest
    @EnumSource(ServiceStatus.class)
    void aCallerMakesOnlyLegalMoves(ServiceStatus from) {
        var service = inStatus(from, NOON);
        for (var to : ServiceStatus.values()) {
            var write = to == DEPLOYING ? deploy() : set(to);
            if (from.canMoveTo(to)) {
                assertThat(written(decided(service, write)).status()).isEqualTo(to);
            } else {
                assertThat(decided(service, write)).isEqualTo(new WriteOutcome.Illegal(service, to));
            }
        }
    }

    @Test
    void aWriteByACallerThatHasSeenAnOlderVersionIsRefused() {
        var service = inStatus(RUNNING, NOON);
        var old = Optional.of(service.version() - 1);

        assertThat(decided(service, new StatusWrite.Set(STOPPED, Optional.empty(), old)))
                .isEqualTo(new WriteOutcome.VersionConflict(service));
        assertThat(decided(
                        service,
                        new StatusWrite.Deploy(DeploymentId.random(), Optional.empty(), Optional.empty(), old)))
                .isEqualTo(new WriteOutcome.VersionConflict(service));
        assertThat(decided(service, new StatusWrite.Set(STOPPED, Optional.empty(), Optional.of(service.version()))))
                .isInstanceOf(WriteOutcome.Written.class);
    }

    @Test
    void aDeploymentHasAnEpochAndADeadline() {
        var idle = inStatus(IDLE, NOON);

        var deploying = written(decided(idle, deploy()));

        var deployment = deploying.deployment().orElseThrow();
        assertThat(deployment.epoch()).isEqualTo(deploying.version());
        assertThat(deployment.deadline()).isEqualTo(LATER.plus(DEADLINE));
    }

    /** A copy of its request that arrives late must not begin it again, after its worker has gone. */
    @Test
    void aDeploymentThatALaterOneHasFollowedDoesNotBeginAgain() {
        var first = deploy();
        var service = deployed(inStatus(IDLE, NOON), first);
        service = deployed(service, deploy());

        assertThat(decided(service, first)).isEqualTo(new WriteOutcome.StaleEpoch(service));
    }

    @Test
    void theLastEightDeploymentsAreRemembered() {
        var first = deploy();
        var service = deployed(inStatus(IDLE, NOON), first);
        for (var i = 0; i < 8; i++) {
            service = deployed(service, deploy());
        }
        assertThat(decided(service, first)).isEqualTo(new WriteOutcome.StaleEpoch(service));

        service = deployed(service, deploy());

        assertThat(service.deployment().orElseThrow().earlier()).hasSize(8);
        assertThat(decided(service, first)).isInstanceOf(WriteOutcome.Written.class);
    }

    /** Begun, and ended by its worker. */
    private static Service deployed(Service service, StatusWrite.Deploy deploy) {
        var deploying = written(decided(service, deploy));
        return written(decided(deploying, result(deploying, RUNNING)));
    }

    @Test
    void theDeadlineOfTheRequestComesBeforeThatOfTheService() {
        var hour = Optional.of(Duration.ofHours(1));
        var service = inStatus(IDLE, NOON).with(new ServiceSpec(SPEC.observe(), hour));
        var hasty = new StatusWrite.Deploy(
                DeploymentId.random(), Optional.empty(), Optional.of(Duration.ofSeconds(5)), Optional.empty());

        assertThat(deadline(decided(service, deploy()))).isEqualTo(LATER.plus(Duration.ofHours(1)));
        assertThat(deadline(decided(service, hasty))).isEqualTo(LATER.plusSeconds(5));
    }

    private static Instant deadline(WriteOutcome outcome) {
        return written(outcome).deployment().orElseThrow().deadline();
    }

    @Test
    void aDeployThatIsRepeatedAfterItsAnswerWasLostIsTheSameDeployment() {
        var deploy = deploy();
        var deploying = written(decided(inStatus(RUNNING, NOON), deploy));

        assertThat(decided(deploying, deploy)).isEqualTo(new WriteOutcome.WrittenBefore(deploying));
        var running = written(decided(deploying, result(deploying, RUNNING)));
        assertThat(decided(running, deploy)).isEqualTo(new WriteOutcome.WrittenBefore(running));
    }

    @Test
    void theResultOfAnEarlierDeploymentIsStale() {
        var first = inStatus(DEPLOYING, NOON);
        var second = written(decided(written(decided(first, result(first, FAILED))), deploy()));

        assertThat(decided(second, result(first, RUNNING))).isEqualTo(new WriteOutcome.StaleEpoch(second));
        assertThat(decided(second, result(first, FAILED))).isEqualTo(new WriteOutcome.StaleEpoch(second));
    }

    @Test
    void aResultMustNameTheIdAndTheEpoch() {
        var deploying = inStatus(DEPLOYING, NOON);
        var deployment = deploying.deployment().orElseThrow();
        var otherEpoch =
                new StatusWrite.Report(deployment.id(), deployment.epoch() - 1, RUNNING, false, Optional.empty());
        var otherId =
                new StatusWrite.Report(DeploymentId.random(), deployment.epoch(), RUNNING, false, Optional.empty());

        assertThat(decided(deploying, otherEpoch)).isEqualTo(new WriteOutcome.StaleEpoch(deploying));
        assertThat(decided(deploying, otherId)).isEqualTo(new WriteOutcome.StaleEpoch(deploying));
    }

    @Test
    void aResultOfAServiceThatWasNeverDeployedIsStale() {
        var idle = inStatus(IDLE, NOON);

        assertThat(decided(idle, result(inStatus(DEPLOYING, NOON), RUNNING)))
                .isEqualTo(new WriteOutcome.StaleEpoch(idle));
    }

    @Test
    void aResultThatIsRepeatedIsASuccessAlsoAfterTheStatusHasMovedOn() {
        var deploying = inStatus(DEPLOYING, NOON);
        var running = written(decided(deploying, result(deploying, RUNNING)));
        var stopped = written(decided(running, set(STOPPED)));

        assertThat(decided(running, result(deploying, RUNNING))).isEqualTo(new WriteOutcome.WrittenBefore(running));
        assertThat(decided(stopped, result(deploying, RUNNING))).isEqualTo(new WriteOutcome.WrittenBefore(stopped));
    }

    @Test
    void aSecondResultThatDiffersIsRefused() {
        var deploying = inStatus(DEPLOYING, NOON);
        var running = written(decided(deploying, result(deploying, RUNNING)));

        assertThat(decided(running, result(deploying, FAILED))).isEqualTo(new WriteOutcome.StaleEpoch(running));
    }

    /** The worker knows of nothing that came after its epoch. */
    @Test
    void theResultOfADeploymentThatAnotherWriterHasEndedIsRefused() {
        var deploying = inStatus(DEPLOYING, NOON);
        var stopped = written(decided(deploying, set(STOPPED)));

        assertThat(decided(stopped, result(deploying, RUNNING))).isEqualTo(new WriteOutcome.StaleEpoch(stopped));
        assertThat(decided(stopped, result(deploying, FAILED))).isEqualTo(new WriteOutcome.Illegal(stopped, FAILED));
    }

    @Test
    void theResultThatComesAfterTheReconcilerHasRepairedTheStatusIsRefused() {
        var deploying = inStatus(DEPLOYING, NOON);
        var repaired = written(decided(deploying, repair(FAILED), NOON.plus(DEADLINE)));

        assertThat(decided(repaired, result(deploying, RUNNING))).isEqualTo(new WriteOutcome.StaleEpoch(repaired));
    }

    @Test
    void aRollbackIsInTheDeploymentAndInTheHistory() {
        var deploying = inStatus(DEPLOYING, NOON);
        var deployment = deploying.deployment().orElseThrow();
        var report = new StatusWrite.Report(
                deployment.id(), deployment.epoch(), RUNNING, true, Optional.of("image not found"));

        var decision = RULES.decide(deploying, report, LATER);

        var cause = decision.change().orElseThrow().move().cause();
        assertThat(cause.rolledBack()).isTrue();
        assertThat(cause.reason()).contains("image not found");
        assertThat(cause.deployment()).contains(deployment.id());
        var end = written(decision.outcome()).deployment().orElseThrow().end().orElseThrow();
        assertThat(end.rolledBack()).isTrue();
        assertThat(end.by()).isEqualTo(Writer.WORKER);
    }

    @Test
    void theReconcilerRepairsBetweenAllStatuses() {
        for (var from : ServiceStatus.values()) {
            for (var to : Set.of(IDLE, RUNNING, STOPPED, FAILED, ServiceStatus.CRASHING)) {
                if (from != to) {
                    assertThat(written(decided(inStatus(from, NOON), repair(to), NOON.plus(DEADLINE)))
                                    .status())
                            .isEqualTo(to);
                }
            }
        }
    }

    @Test
    void theReconcilerDoesNotTouchADeploymentBeforeItsDeadline() {
        var deploying = inStatus(DEPLOYING, NOON);

        assertThat(decided(deploying, repair(RUNNING), NOON.plus(DEADLINE).minusMillis(1)))
                .isEqualTo(new WriteOutcome.Illegal(deploying, RUNNING));
    }

    @Test
    void aRepairSaysWhatWasSeen() {
        var seen = seen(Observation.State.CRASHING);
        var decision =
                RULES.decide(inStatus(RUNNING, NOON), new StatusWrite.Repair(ServiceStatus.CRASHING, seen), LATER);

        assertThat(decision.change().orElseThrow().move().cause().seen()).contains(seen);
    }

    @Test
    void aRemovalIsTheLastRowOfTheHistory() {
        var service = inStatus(RUNNING, NOON);

        var change =
                RULES.decide(service, new StatusWrite.Remove(), LATER).change().orElseThrow();

        assertThat(change.after()).isEmpty();
        assertThat(change.move().to()).isEmpty();
    }

    /** A worker or caller that knows only the earlier service must never hit a version or an epoch of the new one. */
    @Test
    void aServiceThatIsRegisteredAgainHasHigherVersionsWhateverTheClockSays() {
        var id = anId();
        var first = RULES.register(id, SPEC, 0, NOON).after().orElseThrow();

        var again = RULES.register(id, SPEC, first.version() + 5, NOON.minusSeconds(3600))
                .after()
                .orElseThrow();

        assertThat(again.version()).isGreaterThan(first.version() + 5);
    }
}
