package io.holdfast.probe;

import static io.holdfast.power.model.AppStatus.UNKNOWN;
import static io.holdfast.power.model.AppStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many probes at once, and probes that nobody wants any more. */
class ParallelProbesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String UP_ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    /** The apps say nothing before all of them were asked. */
    @Test
    void twoHundredAppsThatHangAreWaitedForAllAtOnce() {
        var allAsked = new CountDownLatch(200);
        var probes = ProbeSettings.PATIENT.probes();
        try (var app = new RawServer(connection -> {
            connection.readHead();
            allAsked.countDown();
            allAsked.await();
        })) {
            var results = all(probes, Collections.nCopies(200, Sharers.http200(app.url())))
                    .await()
                    .atMost(PATIENCE);

            assertThat(results).hasSize(200).allMatch(result -> result.status() == UNKNOWN);
            assertThat(app.openMost())
                    .as("all at once; one that ends may be counted twice")
                    .isGreaterThanOrEqualTo(200);
        } finally {
            probes.close();
        }
    }

    @Test
    void noMoreLooksThanAllowedAreUnderWayAndAllGetTheirTurn() {
        var parallelMax = 4;
        var unanswered = new AtomicInteger();
        var unansweredMost = new AtomicInteger();
        var everyTurnTaken = new CountDownLatch(parallelMax);
        var probes = ProbeSettings.PATIENT.withParallelMax(parallelMax).probes();
        try (var app = new RawServer(connection -> {
            connection.readHead();
            unansweredMost.accumulateAndGet(unanswered.incrementAndGet(), Math::max);
            everyTurnTaken.countDown();
            everyTurnTaken.await();
            unanswered.decrementAndGet();
            connection.send(UP_ANSWER);
        })) {
            var results = all(probes, Collections.nCopies(40, Sharers.http200(app.url())))
                    .await()
                    .atMost(PATIENCE);

            assertThat(results).hasSize(40).allMatch(result -> result.status() == UP);
            assertThat(unansweredMost).hasValue(parallelMax);
        } finally {
            probes.close();
        }
    }

    @Test
    void timeSpentWaitingForATurnDoesNotCount() {
        var probes = ProbeSettings.PATIENT
                .withParallelMax(1)
                .withTimeout(Duration.ofSeconds(5))
                .probes();
        try (var hanging = RawServer.silent();
                var quick = RawServer.sayingThenClosing(UP_ANSWER)) {
            var results = all(probes, List.of(Sharers.http200(hanging.url()), Sharers.http200(quick.url())))
                    .await()
                    .atMost(PATIENCE);

            assertThat(results).extracting(Result::status).containsExactly(UNKNOWN, UP);
        } finally {
            probes.close();
        }
    }

    @Test
    void aCancelledProbeHangsUp() throws InterruptedException {
        var asked = new CountDownLatch(1);
        var hungUp = new CountDownLatch(1);
        var probes = ProbeSettings.PATIENT.withTimeout(Duration.ofMinutes(5)).probes();
        try (var app = new RawServer(connection -> {
            connection.readHead();
            asked.countDown();
            try {
                connection.readHead();
            } finally {
                hungUp.countDown();
            }
        })) {
            var probe = subscribed(probes, Sharers.http200(app.url()));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            probe.cancel(true);

            assertThat(hungUp.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            probes.close();
        }
    }

    @Test
    void aProbeThatTimesOutHangsUp() throws InterruptedException {
        var hungUp = new CountDownLatch(1);
        var probes = ProbeSettings.PATIENT.withTimeout(Duration.ofMillis(300)).probes();
        try (var app = new RawServer(connection -> {
            try {
                connection.untilClosed();
            } finally {
                hungUp.countDown();
            }
        })) {
            probes.probe(Sharers.http200(app.url())).await().atMost(PATIENCE);

            assertThat(hungUp.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            probes.close();
        }
    }

    @Test
    void cancelledProbesGiveTheirTurnsAndPlacesBack() throws InterruptedException {
        var asked = new CountDownLatch(1);
        var probes = ProbeSettings.PATIENT
                .withParallelMax(1)
                .withTimeout(Duration.ofMinutes(5))
                .probes();
        try (var hanging = new RawServer(connection -> {
                    connection.readHead();
                    asked.countDown();
                    connection.readHead();
                });
                var quick = RawServer.sayingThenClosing(UP_ANSWER)) {
            var underWay = subscribed(probes, Sharers.http200(hanging.url()));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            var waiting = subscribed(probes, Sharers.http200(hanging.url()));
            var last = subscribed(probes, Sharers.http200(quick.url()));
            waiting.cancel(true);
            underWay.cancel(true);

            assertThat(last.orTimeout(30, TimeUnit.SECONDS).join().status()).isEqualTo(UP);
            assertThat(hanging.connections()).isEqualTo(1);
        } finally {
            probes.close();
        }
    }

    @Test
    void nothingIsAskedBeforeSomebodySubscribes() {
        var probes = ProbeSettings.PATIENT.probes();
        try (var app = RawServer.sayingThenClosing(UP_ANSWER)) {
            var first = probes.probe(Sharers.http200(app.url()));
            first.await().atMost(PATIENCE);
            first.await().atMost(PATIENCE);

            assertThat(app.heads()).hasSize(2);
        } finally {
            probes.close();
        }
    }

    private static Uni<List<Result>> all(Probes probes, List<Sharer> apps) {
        return Uni.join().all(apps.stream().map(probes::probe).toList()).andCollectFailures();
    }

    private static CompletableFuture<Result> subscribed(Probes probes, Sharer app) {
        return probes.probe(app).subscribeAsCompletionStage();
    }
}
