package io.holdfast.lifecycle.history;

import static io.holdfast.lifecycle.history.SeedRace.NEVER;
import static io.holdfast.lock.port.Fixtures.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.history.SeedRace.Who;
import io.holdfast.lifecycle.port.FakeLifecycleStore;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.holdfast.suite.Slow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Slow
class SeedRaceTest {
    private static final List<SeedRace.Pause> DECIDED_BY_VERSION = SeedRace.decidedByVersion();

    @Test
    void inEveryOrderWithTheLockExpiringAnywhereTheLateDeployingDoesNotLandAfterRunning() {
        assertThat(SeedRace.orders()).hasSize(1680).doesNotHaveDuplicates();

        assertThat(DECIDED_BY_VERSION)
                .as("races with a writer whose lease was over when its commit arrived")
                .hasSizeGreaterThan(100);
    }

    /** Without a pause the lock keeps the writers apart, so no write has to be refused. */
    @Test
    void inEveryOrderWithoutAPauseTheDeploymentBeginsAndEndsAndNoWriterIsRefused() {
        for (var order : SeedRace.orders()) {
            var outcomes = new SeedRace(new FakeLifecycleStore()).run(order, NEVER);

            assertThat(outcomes).hasSize(Who.values().length);
            assertThat(outcomes.values())
                    .as("%s", order)
                    .allMatch(outcome ->
                            outcome instanceof WriteOutcome.Written || outcome instanceof WriteOutcome.WrittenBefore);
            assertThat(outcomes.get(Who.WORKER)).isInstanceOf(WriteOutcome.Written.class);
        }
    }

    @Test
    void theSameHoldsForTheEmbeddedStore(@TempDir Path folder) {
        try (var store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.ELSEWHERE, StoreTelemetry.NONE)) {
            for (var deciding : DECIDED_BY_VERSION) {
                new SeedRace(store.lifecycle()).run(deciding.order(), deciding.asleepBefore());
            }
            var asleepBefore = 0;
            for (var order : SeedRace.orders()) {
                new SeedRace(store.lifecycle()).run(order, asleepBefore++ % (NEVER + 1));
            }
        }
    }
}
