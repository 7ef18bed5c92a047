package io.holdfast.telemetry.metrics;

import static io.holdfast.lifecycle.port.LifecycleFixtures.RULES;
import static io.holdfast.lifecycle.port.LifecycleFixtures.anId;
import static io.holdfast.lifecycle.port.LifecycleFixtures.deploy;
import static io.holdfast.lifecycle.port.LifecycleFixtures.inStatus;
import static io.holdfast.lifecycle.port.LifecycleFixtures.registration;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.lifecycle.port.LifecycleListener;
import io.holdfast.lifecycle.port.LifecycleListener.Counts;
import io.holdfast.lifecycle.port.LifecycleListener.NoCount;
import io.holdfast.lifecycle.port.LifecycleListener.NoRepair;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LifecycleMetricsTest {
    private static final ServiceId SERVICE = anId();
    private static final Duration WAITED = Duration.ofMillis(600);
    private static final Observation STOPPED = new Observation(Observation.State.STOPPED, "scaled to 0");
    private static final Counts COUNTS =
            new Counts(Map.of(ServiceStatus.RUNNING, 7, ServiceStatus.DEPLOYING, 2), 1, 3, 4);

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> passedOn = new ArrayList<>();
    private final LifecycleMetrics metrics = new LifecycleMetrics(registry, recording());

    @Test
    void aMoveIsCountedByItsStatusAndItsWriter() {
        assertThat(counter("service.moves", "to", "deploying", "by", "api")).isZero();

        metrics.moved(move(ServiceStatus.IDLE, deploy()));

        assertThat(counter("service.moves", "to", "deploying", "by", "api")).isEqualTo(1);
        assertThat(counter("service.moves", "to", "deploying", "by", "worker")).isZero();
    }

    @Test
    void aRegistrationIsAMoveToIdleAndARemovalHasAWordOfItsOwn() {
        metrics.moved(registration(SERVICE, NOON).move());
        metrics.moved(move(ServiceStatus.RUNNING, new StatusWrite.Remove()));

        assertThat(counter("service.moves", "to", "idle", "by", "api")).isEqualTo(1);
        assertThat(counter("service.moves", "to", "removed", "by", "api")).isEqualTo(1);
    }

    @Test
    void onlyAMoveOfTheReconcilerIsARepair() {
        metrics.moved(move(ServiceStatus.RUNNING, new StatusWrite.Repair(ServiceStatus.STOPPED, STOPPED)));
        metrics.moved(move(ServiceStatus.RUNNING, deploy()));

        assertThat(counter("service.repairs", "from", "running", "to", "stopped"))
                .isEqualTo(1);
        assertThat(counter("service.repairs", "from", "running", "to", "deploying"))
                .isZero();
    }

    static Stream<Arguments> refusals() {
        var service = inStatus(ServiceStatus.RUNNING, NOON);
        return Stream.of(
                Arguments.of(new WriteOutcome.Illegal(service, ServiceStatus.IDLE), "illegal-transition"),
                Arguments.of(new WriteOutcome.StaleEpoch(service), "stale-epoch"),
                Arguments.of(new WriteOutcome.VersionConflict(service), "version-conflict"),
                Arguments.of(new WriteOutcome.NoSuchService(), "not-found"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusedWriteIsCountedByTheCodeOfItsAnswer(WriteOutcome outcome, String code) {
        assertThat(counter("service.writes.refused", "writer", "worker", "outcome", code))
                .isZero();

        metrics.refused(SERVICE, Writer.WORKER, outcome);

        assertThat(counter("service.writes.refused", "writer", "worker", "outcome", code))
                .isEqualTo(1);
    }

    @Test
    void theWaitForALockIsRecordedWithItsRetries() {
        metrics.lockAcquired(SERVICE, 3, WAITED);

        assertThat(registry.get("service.lock.wait").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(WAITED.toMillis());
        assertThat(registry.get("service.lock.retries").summary().totalAmount()).isEqualTo(2);
        assertThat(registry.get("service.lock.extensions").counter().count()).isZero();
    }

    @Test
    void aLockThatWasHeldInAllTriesIsAFailureAndAWait() {
        metrics.lockNotAcquired(SERVICE, Writer.API, 10, WAITED);

        assertThat(counter("service.lock.failures", "writer", "api", "reason", "held"))
                .isEqualTo(1);
        assertThat(counter("service.lock.failures", "writer", "api", "reason", "lost"))
                .isZero();
        assertThat(registry.get("service.lock.wait").timer().count()).isEqualTo(1);
        assertThat(registry.get("service.lock.retries").summary().max()).isEqualTo(9);
    }

    @Test
    void aLockThatWasLostIsAFailureOfItsWriter() {
        metrics.lockLost(SERVICE, Writer.RECONCILER);

        assertThat(counter("service.lock.failures", "writer", "reconciler", "reason", "lost"))
                .isEqualTo(1);
    }

    @Test
    void anExtensionIsCounted() {
        metrics.lockExtended(SERVICE, WAITED);

        assertThat(registry.get("service.lock.extensions").counter().count()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(NoRepair.class)
    void aRepairThatWasNotMadeIsCountedByItsReason(NoRepair reason) {
        assertThat(counter("service.repairs.skipped", "reason", text(reason))).isZero();

        metrics.notRepaired(SERVICE, STOPPED, reason);

        assertThat(counter("service.repairs.skipped", "reason", text(reason))).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(NoCount.class)
    void aPassWithoutCountsIsCountedByItsReason(NoCount reason) {
        assertThat(counter("service.reconciliations", "result", text(reason))).isZero();

        metrics.notCounted(reason);

        assertThat(counter("service.reconciliations", "result", text(reason))).isEqualTo(1);
        assertThat(counter("service.reconciliations", "result", "done")).isZero();
    }

    @Test
    void everyCountIsThereBeforeTheFirstPassAndSaysNothing() {
        for (var status : ServiceStatus.values()) {
            assertThat(services(status)).isNaN();
        }
        assertThat(gauge("services.deploying.overdue")).isNaN();
        assertThat(gauge("services.unobserved")).isNaN();
    }

    @Test
    void whatAPassHasCountedIsShown() {
        metrics.passed(COUNTS);

        assertThat(counter("service.reconciliations", "result", "done")).isEqualTo(1);
        assertThat(services(ServiceStatus.RUNNING)).isEqualTo(7);
        assertThat(services(ServiceStatus.DEPLOYING)).isEqualTo(2);
        assertThat(services(ServiceStatus.FAILED)).isZero();
        assertThat(gauge("services.deploying.overdue")).isEqualTo(1);
        assertThat(gauge("services.unobserved")).isEqualTo(3);
    }

    @Test
    void aReplicaThatDidNotCountLastShowsNoOldFigures() {
        metrics.passed(COUNTS);

        metrics.notCounted(NoCount.NOT_ELECTED);

        assertThat(services(ServiceStatus.RUNNING)).isNaN();
        assertThat(gauge("services.deploying.overdue")).isNaN();
        assertThat(gauge("services.unobserved")).isNaN();
    }

    @Test
    void noIdIsATag() {
        var before = registry.getMeters().size();

        everyStep();

        assertThat(registry.getMeters()).hasSize(before);
    }

    @Test
    void everyStepIsPassedOn() {
        everyStep();

        assertThat(passedOn)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(LifecycleListener.class.getMethods())
                        .map(method -> method.getName())
                        .toList());
    }

    private void everyStep() {
        metrics.moved(move(ServiceStatus.IDLE, deploy()));
        metrics.refused(SERVICE, Writer.API, new WriteOutcome.NoSuchService());
        metrics.lockAcquired(SERVICE, 1, WAITED);
        metrics.lockExtended(SERVICE, WAITED);
        metrics.lockReleased(SERVICE, WAITED);
        metrics.lockNotAcquired(SERVICE, Writer.API, 10, WAITED);
        metrics.lockLost(SERVICE, Writer.API);
        metrics.notRepaired(SERVICE, STOPPED, NoRepair.LOCK_HELD);
        metrics.passed(COUNTS);
        metrics.notCounted(NoCount.FAILED);
    }

    private static Move move(ServiceStatus from, StatusWrite write) {
        return RULES.decide(inStatus(from, NOON), write, NOON)
                .change()
                .orElseThrow()
                .move();
    }

    private LifecycleListener recording() {
        return (LifecycleListener) Proxy.newProxyInstance(
                LifecycleListener.class.getClassLoader(),
                new Class<?>[] {LifecycleListener.class},
                (proxy, method, arguments) -> {
                    passedOn.add(method.getName());
                    return null;
                });
    }

    private double counter(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private double services(ServiceStatus status) {
        return registry.get("services").tag("status", text(status)).gauge().value();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
