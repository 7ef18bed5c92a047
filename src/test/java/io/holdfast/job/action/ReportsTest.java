package io.holdfast.job.action;

import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.PERMANENT;
import static io.holdfast.job.port.JobFixtures.TERMS;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.FinishOutcome;
import io.holdfast.job.port.JobDriver;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.SilentJobListener;
import io.holdfast.job.port.Snapshot;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.smallrye.mutiny.Uni;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker repeats its finish while the first one is written: it sees the job before, and the lock after. */
class ReportsTest {
    @TempDir
    Path folder;

    private final TestClock clock = new TestClock(NOON);
    private final AtomicInteger snapshots = new AtomicInteger();
    private Optional<Runnable> betweenTheReads = Optional.empty();
    private EmbeddedStore embedded;
    private JobDriver driver;
    private Reports reports;
    private Job job;

    @BeforeEach
    void open() {
        embedded =
                EmbeddedStore.open(folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
        driver = new JobDriver(embedded.jobs());
        var store = mixed(embedded.jobs());
        var transactions =
                new JobTransactions(store, TERMS, RULES, KEPT, clock, SilentJobListener.INSTANCE, new JobSignals());
        reports = new Reports(store, transactions, SilentJobListener.INSTANCE);
        var cluster = driver.create(aCluster(), NOON);
        job = driver.claim(driver.submit(cluster.id(), JobType.CREATE, NOON), WORKER, NOON);
    }

    @AfterEach
    void close() {
        embedded.close();
    }

    @Test
    void aFinishThatIsRepeatedWhileTheFirstIsWrittenSucceeds() {
        betweenTheReads = Optional.of(() -> driver.finish(job, DONE, NOON));

        assertThat(finish()).isInstanceOf(FinishOutcome.FinishedBefore.class);

        assertThat(driver.job(job.id()).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aDifferentFinishThanTheOneThatIsWrittenIsRefused() {
        betweenTheReads = Optional.of(() -> driver.finish(job, PERMANENT, NOON));

        assertThat(finish()).isInstanceOf(FinishOutcome.StaleEpoch.class);

        assertThat(driver.job(job.id()).status()).isEqualTo(JobStatus.FAILED);
    }

    @Test
    void aFinishAfterTheLockWasFreedByForceIsRefusedAtOnce() {
        var force = new ForceRelease(job.cluster().lock(), new FencingToken(epoch()), "hangs", Duration.ZERO);
        betweenTheReads = Optional.of(() -> await(embedded.locks().forceRelease(force, NOON)));

        assertThat(finish()).isInstanceOf(FinishOutcome.StaleEpoch.class);

        assertThat(snapshots).hasValue(1);
        assertThat(driver.job(job.id()).status()).isEqualTo(JobStatus.RUNNING);
    }

    private FinishOutcome finish() {
        return await(reports.finish(job.id(), epoch(), DONE));
    }

    private long epoch() {
        return job.lastRun().map(Run::epoch).orElseThrow();
    }

    /** The first snapshot has the lock of a later moment than the job. */
    private JobStore mixed(JobStore real) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    try {
                        if (method.getName().equals("snapshot") && snapshots.incrementAndGet() == 1) {
                            return Uni.createFrom().item(() -> mixedSnapshot(real));
                        }
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Optional<Snapshot> mixedSnapshot(JobStore real) {
        var before = await(real.snapshot(job.cluster(), List.of(job.id()))).orElseThrow();
        betweenTheReads.orElseThrow().run();
        var after = await(real.snapshot(job.cluster(), List.of())).orElseThrow();
        return Optional.of(new Snapshot(
                before.cluster(), Map.of(job.id(), before.job(job.id()).orElseThrow()), after.lock()));
    }
}
