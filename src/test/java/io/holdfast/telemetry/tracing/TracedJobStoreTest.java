package io.holdfast.telemetry.tracing;

import static io.holdfast.job.port.JobFixtures.ATTEMPTS_MAX;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.OVERDUE;
import static io.holdfast.job.port.JobFixtures.PERMANENT;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.TRANSIENT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.living;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.ClaimOutcome;
import io.holdfast.job.port.JobDriver;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracedJobStoreTest {
    private static final Instant LATER = NOON.plusSeconds(10);

    @TempDir
    Path folder;

    private final InMemorySpanExporter kept = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(kept))
            .build();
    private final Tracer tracer = provider.get("test");
    private final Span request = tracer.spanBuilder("request").startSpan();
    private EmbeddedStore embedded;
    private TracedJobStore store;
    private JobDriver driver;
    private Cluster cluster;

    @BeforeEach
    void open() {
        embedded = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
        store = new TracedJobStore(embedded.jobs(), new Spans(tracer));
        driver = new JobDriver(store);
        cluster = driver.create(aCluster(), NOON);
    }

    @AfterEach
    void close() {
        embedded.close();
        provider.close();
    }

    @Test
    void aClusterThatIsCreatedIsNamed() {
        assertThat(last().getName()).isEqualTo("cluster create");
        assertThat(said(last(), "cluster")).isEqualTo(cluster.id().value());
        assertThat(said(last(), "outcome")).isEqualTo("Done");
    }

    @Test
    void aSubmissionNamesItsJobAndNoRun() {
        var job = driver.submit(cluster.id(), JobType.CREATE, NOON);

        assertThat(last().getName()).isEqualTo("job submit");
        assertThat(said(last(), "job")).isEqualTo(job.id().value());
        assertThat(said(last(), "cluster")).isEqualTo(cluster.id().value());
        assertThat(said(last(), "worker")).isNull();
        assertThat(epoch(last())).isNull();
    }

    @Test
    void aRunIsTracedFromItsClaimToItsEnd() {
        var job = claimed();
        assertStepOf(job, "job claim");
        driver.heartbeat(job, LATER);
        assertStepOf(job, "job heartbeat");

        driver.finish(job, DONE, LATER);

        assertStepOf(job, "job finish");
    }

    @Test
    void aFailureIsAFinishToo() {
        var job = claimed();
        driver.finish(job, TRANSIENT, LATER);
        assertStepOf(job, "job finish");
        var again = driver.claim(driver.job(job.id()), WORKER, LATER.plus(Duration.ofHours(1)));
        assertStepOf(again, "job claim");

        driver.finish(again, PERMANENT, LATER.plus(Duration.ofHours(1)));

        assertStepOf(again, "job finish");
    }

    @Test
    void aClaimThatIsToldAgainAndOneThatIsUndoneAreNoHeartbeatAndNoFinish() {
        var submitted = driver.submit(cluster.id(), JobType.CREATE, NOON);
        var decision = driver.decideClaim(submitted, WORKER, NOON);
        driver.made(decision, NOON);
        var claimed = (ClaimOutcome.Claimed) decision.outcome();
        driver.made(RULES.claims().unclaim(driver.snapshot(submitted), claimed.job(), claimed.before(), LATER), LATER);
        assertStepOf(claimed.job(), "job unclaim");
        var job = driver.claim(driver.job(submitted.id()), WORKER, LATER);

        driver.made(RULES.claims().claimAgain(driver.snapshot(job), job.id(), WORKER, LATER.plusSeconds(1)), LATER);

        assertStepOf(job, "job claim again");
    }

    @Test
    void aRunThatTheJanitorEndsIsARescue() {
        var job = claimed();
        var late = NOON.plus(OVERDUE);

        driver.made(RULES.rescues().rescue(driver.snapshot(job), driver.job(job.id()), late), late);

        assertStepOf(job, "job rescue");
    }

    @Test
    void theEndOfATtlIsASubmissionOrWithoutAJobTheEndOfTheCluster() {
        var mortal = driver.create(living(Duration.ofMinutes(1)), NOON);
        var late = NOON.plus(Duration.ofHours(1));

        driver.made(RULES.submissions().expire(mortal, late), late);

        assertThat(last().getName()).isEqualTo("cluster expire");
    }

    @Test
    void aCancelIsOneWhetherTheJobRunsOrNot() {
        var running = claimed();
        driver.cancel(running, LATER);
        assertStepOf(running, "job cancel");
        var queued = driver.submit(cluster.id(), JobType.DESTROY, LATER);

        driver.cancel(queued, LATER);

        assertThat(last().getName()).isEqualTo("job cancel");
        assertThat(said(last(), "worker")).isNull();
    }

    @Test
    void aRetryOfADeadLetterIsOne() {
        var job = driver.submit(cluster.id(), JobType.CREATE, NOON);
        for (var attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            var at = NOON.plus(Duration.ofHours(attempt));
            job = driver.finish(driver.claim(driver.job(job.id()), WORKER, at), TRANSIENT, at);
        }

        driver.retry(job, NOON.plus(Duration.ofDays(1)));

        assertThat(last().getName()).isEqualTo("job retry");
        assertThat(said(last(), "job")).isEqualTo(job.id().value());
    }

    @Test
    void aRefusedCommitIsAnOutcome() {
        var submitted = driver.submit(cluster.id(), JobType.CREATE, NOON);
        var decision = driver.decideClaim(submitted, WORKER, NOON);
        driver.made(decision, NOON);

        assertThat(driver.commit(decision, NOON)).isFalse();

        assertThat(said(last(), "outcome")).isEqualTo("Refused");
    }

    @Test
    void aRequestIsMarkedWithWhatItChangesAndAClaimMarksNone() {
        var submitted = asRequest(() -> driver.submit(cluster.id(), JobType.CREATE, NOON));
        assertThat(((ReadableSpan) request).getAttribute(AttributeKey.stringKey("holdfast.job")))
                .isEqualTo(submitted.id().value());

        asRequest(() -> driver.claim(submitted, WORKER, NOON));

        assertThat(((ReadableSpan) request).getAttribute(AttributeKey.stringKey("holdfast.worker")))
                .isNull();
        assertThat(last().getParentSpanId()).isEqualTo(request.getSpanContext().getSpanId());
    }

    @Test
    void readsAreTracedInARequestAndNotForATimer() {
        kept.reset();
        await(store.findJobs(List.of()));
        assertThat(kept.getFinishedSpanItems()).isEmpty();

        asRequest(() -> await(store.snapshot(cluster.id(), List.of())));

        assertThat(last().getName()).isEqualTo("job snapshot");
        assertThat(said(last(), "cluster")).isEqualTo(cluster.id().value());
        assertThat(said(last(), "outcome")).isEqualTo("Found");
    }

    private Job claimed() {
        return driver.claim(driver.submit(cluster.id(), JobType.CREATE, NOON), WORKER, NOON);
    }

    private <T> T asRequest(Supplier<T> work) {
        return Context.root().with(request).wrapSupplier(work).get();
    }

    private void assertStepOf(Job job, String step) {
        assertThat(last().getName()).isEqualTo(step);
        assertThat(said(last(), "job")).isEqualTo(job.id().value());
        assertThat(said(last(), "cluster")).isEqualTo(job.cluster().value());
        assertThat(said(last(), "worker")).isEqualTo(WORKER.value());
        assertThat(epoch(last())).isEqualTo(job.lastRun().map(Run::epoch).orElseThrow());
    }

    private SpanData last() {
        return kept.getFinishedSpanItems().getLast();
    }

    private static String said(SpanData span, String what) {
        return span.getAttributes().get(AttributeKey.stringKey("holdfast." + what));
    }

    private static Long epoch(SpanData span) {
        return span.getAttributes().get(AttributeKey.longKey("holdfast.epoch"));
    }
}
