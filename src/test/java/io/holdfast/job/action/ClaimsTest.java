package io.holdfast.job.action;

import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.TERMS;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.port.ClaimOutcome;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobDriver;
import io.holdfast.job.port.JobListener;
import io.holdfast.kernel.TestClock;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log and the metrics learn of a claim that is undone. */
class ClaimsTest {
    @TempDir
    Path folder;

    private final List<String> heard = new ArrayList<>();
    private EmbeddedStore store;
    private JobDriver driver;
    private Claims claims;
    private Cluster cluster;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
        driver = new JobDriver(store.jobs());
        var listener = (JobListener) Proxy.newProxyInstance(
                JobListener.class.getClassLoader(), new Class<?>[] {JobListener.class}, (proxy, method, arguments) -> {
                    heard.add(method.getName());
                    return null;
                });
        var clock = new TestClock(NOON.plusSeconds(10));
        var transactions = new JobTransactions(store.jobs(), TERMS, RULES, KEPT, clock, listener, new JobSignals());
        claims = new Claims(store.jobs(), transactions, listener);
        cluster = driver.create(aCluster(), NOON);
        driver.run(cluster.id(), JobType.CREATE, WORKER, DONE, NOON);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void anUndoneClaimIsReported() {
        var claim = claimed();

        assertThat(await(claims.undo(claim))).isTrue();
        assertThat(await(claims.undo(claim))).isFalse();

        assertThat(heard).containsExactly("claimed", "unclaimed");
    }

    @Test
    void aJobThatWasCancelledMeanwhileIsReportedAsCancelled() {
        var claim = claimed();
        driver.cancel(claim.job(), NOON.plusSeconds(10));

        assertThat(await(claims.undo(claim))).isTrue();

        assertThat(heard).containsExactly("claimed", "unclaimed", "cancelled");
        assertThat(driver.job(claim.job().id()).status()).isEqualTo(JobStatus.CANCELLED);
    }

    @Test
    void aJobThatWasSupersededMeanwhileIsReportedAsEnded() {
        var claim = claimed();
        driver.submit(cluster.id(), JobType.DESTROY, NOON.plusSeconds(10));

        assertThat(await(claims.undo(claim))).isTrue();

        assertThat(heard).containsExactly("claimed", "unclaimed", "ended");
        assertThat(driver.job(claim.job().id()).status()).isEqualTo(JobStatus.CANCELLED);
    }

    private Claim claimed() {
        var job = driver.submit(cluster.id(), JobType.SCALE_WORKERS, NOON.plusSeconds(5));
        var work = new DueWork(cluster.id(), job.id(), job.type(), job.dueAt(), cluster.labels());
        var claimed = (ClaimOutcome.Claimed) await(claims.claim(work, WORKER, any -> true));
        return new Claim(claimed.job(), claimed.cluster(), Optional.of(claimed.before()));
    }
}
