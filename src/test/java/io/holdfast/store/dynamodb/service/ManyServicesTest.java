package io.holdfast.store.dynamodb.service;

import static io.holdfast.lifecycle.port.ServiceDriver.registering;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lifecycle.action.MoveSignal;
import io.holdfast.lifecycle.action.StatusLock;
import io.holdfast.lifecycle.action.StatusLockTerms;
import io.holdfast.lifecycle.action.StatusWrites;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.port.HeardLifecycle;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceDriver;
import io.holdfast.lifecycle.reconcile.ReconcileTerms;
import io.holdfast.lifecycle.reconcile.ServiceReconciler;
import io.holdfast.lifecycle.reconcile.ServiceReconciler.Pass;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.election.Leadership;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.RulesStore;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.suite.Slow;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a pass over ten thousand services asks of DynamoDB. */
@Slow
class ManyServicesTest {
    private static final int SERVICES = 10_000;
    private static final int STEP = 100;
    private static final int PARALLEL = 32;
    private static final Duration TTL = Duration.ofHours(1);

    /** Deadlines are judged by the offset that DynamoDB's answers show. */
    private final TestClock clock = new TestClock(Instant.now());

    private final FakeTimers timers = new FakeTimers(clock);
    private final RulesStore locks = new RulesStore(Fixtures.RULES);
    private final HeardLifecycle heard = new HeardLifecycle();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final AtomicInteger observed = new AtomicInteger();
    private final ServiceRig rig = new ServiceRig();

    @BeforeEach
    void register() {
        rig.putAll(IntStream.range(0, SERVICES)
                .mapToObj(i -> registering(new ServiceId("service-" + i), clock.instant())
                        .after()
                        .orElseThrow())
                .toList());
        rig.proxy.resetCounts();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private ServiceReconciler replica(Observing observing) {
        var service = TestLimits.service(locks, clock, timers, new LeaseRenewers(locks, clock, timers));
        var lock = new StatusLock(service, timers, clock, heard);
        var terms =
                new StatusLockTerms(Duration.ofSeconds(5), 1, Duration.ZERO, Duration.ZERO, Duration.ofMillis(500), 1);
        var writes = new StatusWrites(
                rig.store, lock, ServiceDriver.RULES, ServiceDriver.KEPT, clock, heard, new MoveSignal());
        return new ServiceReconciler(
                rig.store,
                (one, now) -> observing.observe(one),
                writes,
                new ReconcileTerms(STEP, PARALLEL, TTL, terms),
                clock,
                heard,
                new Leadership(ServiceReconciler.TASK, TTL, locks, clock, new Cleanup(clock, timers, 10)));
    }

    private interface Observing {
        Uni<Observation> observe(Service service);
    }

    @Test
    void tenThousandServicesAreReadInPagesObservedAFewAtATimeAndLockedOnlyForARepair() {
        try (var delays = Executors.newScheduledThreadPool(1)) {
            var first = replica(one -> Uni.createFrom().emitter(seen -> {
                observed.incrementAndGet();
                mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                delays.schedule(
                        () -> {
                            atOnce.decrementAndGet();
                            var runs = one.id().value().equals("service-4711");
                            seen.complete(new Observation(
                                    runs ? Observation.State.RUNNING : Observation.State.STOPPED, "seen by a test"));
                        },
                        1,
                        TimeUnit.MILLISECONDS);
            }));
            var other = replica(one -> Uni.createFrom().failure(new AssertionError("both replicas observe")));

            var pass = (Pass.Done) await(first.pass());
            assertThat(await(other.pass())).isInstanceOf(Pass.NotElected.class);

            assertThat(observed).hasValueGreaterThanOrEqualTo(SERVICES);
            assertThat(mostAtOnce.get()).isBetween(2, PARALLEL);
            assertThat(pass.counts().byStatus())
                    .isEqualTo(Map.of(ServiceStatus.IDLE, SERVICES, ServiceStatus.RUNNING, 1));
            assertThat(pass.counts().repaired()).isEqualTo(1);
            var requests = rig.proxy.counts();
            assertThat(requests).containsOnlyKeys("Query", "GetItem", ServiceRig.TRANSACTION);
            assertThat(requests.get(ServiceRig.TRANSACTION)).as("one repair").isEqualTo(1);
            assertThat(requests.get("Query"))
                    .as("pages of %d", STEP)
                    .isBetween(SERVICES / STEP, SERVICES / STEP + LifecycleStore.SHARDS);
            assertThat(requests.get("GetItem"))
                    .as("whether the reconciler is paused, before each page, and the service that is repaired")
                    .isBetween(requests.get("Query"), requests.get("Query") + 3);
            assertThat(heard.notes)
                    .filteredOn(note -> note.startsWith("acquired"))
                    .hasSize(1);
        }
    }
}
