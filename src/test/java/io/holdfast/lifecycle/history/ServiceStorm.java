package io.holdfast.lifecycle.history;

import static io.holdfast.lifecycle.port.LifecycleFixtures.RETENTION;
import static io.holdfast.lifecycle.port.LifecycleFixtures.RULES;
import static io.holdfast.lifecycle.port.LifecycleFixtures.SPEC;
import static io.holdfast.lifecycle.port.LifecycleFixtures.anId;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.Timers;
import io.holdfast.lifecycle.action.MoveSignal;
import io.holdfast.lifecycle.action.StatusLock;
import io.holdfast.lifecycle.action.StatusLockTerms;
import io.holdfast.lifecycle.action.StatusWrites;
import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.HeardLifecycle;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceDriver;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.port.LockStore;
import io.smallrye.mutiny.Uni;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Ten components write one service at the same time: APIs, workers, callers that have read a version, and reconcilers, at
 * two replicas with clocks of their own. Some answers are lost, and the request is repeated.
 */
final class ServiceStorm implements AutoCloseable {
    private static final int COMPONENTS = 10;
    private static final StatusLockTerms TERMS = new StatusLockTerms(
            Duration.ofSeconds(10), 10_000, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofMillis(500), 1);

    private final ScheduledExecutorService alarms = Executors.newSingleThreadScheduledExecutor();
    private final Timers timers = (delay, task) -> {
        var alarm = alarms.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> alarm.cancel(false);
    };
    private final LifecycleStore store;
    private final List<StatusWrites> replicas;
    private final ServiceId id = anId();
    private final AtomicInteger labels = new AtomicInteger();
    private final AtomicReference<Optional<StatusWrite.Report>> deployment = new AtomicReference<>(Optional.empty());

    // Guarded by itself.
    private final LifecycleOracle oracle = new LifecycleOracle();

    ServiceStorm(LifecycleStore store, LockStore locks) {
        this.store = store;
        var half = SKEW.dividedBy(2);
        this.replicas = List.of(
                replica(locks, Clock.offset(Clock.systemUTC(), half)),
                replica(locks, Clock.offset(Clock.systemUTC(), half.negated())));
    }

    private StatusWrites replica(LockStore locks, InstantSource clock) {
        var service = TestLimits.service(locks, clock, timers, new LeaseRenewers(locks, clock, timers));
        var heard = new HeardLifecycle();
        return new StatusWrites(
                losingAnswers(),
                new StatusLock(service, timers, clock, heard),
                RULES,
                RETENTION,
                clock,
                heard,
                new MoveSignal());
    }

    /** One commit in twenty is made, and its answer is lost. */
    private LifecycleStore losingAnswers() {
        var commits = new AtomicInteger();
        return (LifecycleStore) Proxy.newProxyInstance(
                LifecycleStore.class.getClassLoader(),
                new Class<?>[] {LifecycleStore.class},
                (proxy, method, arguments) -> {
                    var result = method.invoke(store, arguments);
                    return method.getName().equals("commit") && commits.incrementAndGet() % 20 == 0
                            ? ((Uni<?>) result).chain(done -> Uni.createFrom()
                                    .failure(new StoreUnavailableException("The answer was lost.")))
                            : result;
                });
    }

    /** @return the rows that were written */
    List<Move> run(int roundsOfEach) throws Exception {
        var feedBefore = await(store.feedEnd()).sequence(LifecycleStore.shardOf(id));
        var registered = RULES.register(id, SPEC, 0, Clock.systemUTC().instant());
        assertThat(await(store.commit(registered, registered.move().at().plus(RETENTION))))
                .isTrue();
        oracle.registered(registered.after().orElseThrow(), 0);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (var i = 0; i < COMPONENTS; i++) {
                var component = new Component(i);
                running.add(threads.submit(() -> component.work(roundsOfEach)));
            }
            for (var one : running) {
                one.get();
            }
        }
        var rows = new ServiceDriver(store).history(id).reversed();
        oracle.judge(rows, await(store.find(id)));
        assertThat(await(store.feed(LifecycleStore.shardOf(id), feedBefore, 100_000)).stream()
                        .map(FeedEntry::move)
                        .filter(move -> move.service().equals(id)))
                .isEqualTo(rows);
        return rows;
    }

    private final class Component {
        private final int number;
        private final Random random;

        Component(int number) {
            this.number = number;
            this.random = new Random(number);
        }

        void work(int rounds) {
            for (var i = 0; i < rounds; i++) {
                switch (number % 5) {
                    case 0, 1 -> deploy();
                    case 2 -> report();
                    case 3 -> set();
                    default -> repair();
                }
            }
        }

        private void deploy() {
            var label = label();
            var deploy = new StatusWrite.Deploy(
                    DeploymentId.random(), Optional.of(label), Optional.empty(), Optional.empty());
            var told = ask(label, deploy, Optional.empty())
                    .or(() -> ask(label, deploy, Optional.empty()))
                    .orElse(null);
            var service =
                    switch (told) {
                        case WriteOutcome.Written written -> Optional.of(written.service());
                        case WriteOutcome.WrittenBefore before -> Optional.of(before.service());
                        case null, default -> Optional.<Service>empty();
                    };
            service.ifPresent(begun -> deployment.set(Optional.of(new StatusWrite.Report(
                    deploy.id(),
                    begun.deployment().orElseThrow().epoch(),
                    ServiceStatus.RUNNING,
                    false,
                    Optional.empty()))));
        }

        private void report() {
            deployment.get().ifPresent(of -> {
                var label = label();
                var status = random.nextInt(4) == 0 ? ServiceStatus.FAILED : ServiceStatus.RUNNING;
                var report = new StatusWrite.Report(of.deployment(), of.epoch(), status, false, Optional.of(label));
                if (ask(label, report, Optional.empty()).isEmpty()) {
                    ask(label, report, Optional.empty());
                }
            });
        }

        private void set() {
            var seen = await(store.find(id)).map(Service::version);
            var label = label();
            ask(
                    label,
                    new StatusWrite.Set(
                            random.nextBoolean() ? ServiceStatus.STOPPED : ServiceStatus.FAILED,
                            Optional.of(label),
                            seen),
                    seen);
        }

        private void repair() {
            var read = await(store.find(id)).orElseThrow();
            var label = label();
            var to = random.nextBoolean() ? ServiceStatus.RUNNING : ServiceStatus.CRASHING;
            var repair = new StatusWrite.Repair(to, new Observation(Observation.State.RUNNING, label));
            answer(
                    label,
                    repair,
                    Optional.of(read.version()),
                    replicas.get(random.nextInt(2)).write(read, repair, TERMS));
        }

        private Optional<WriteOutcome> ask(String label, StatusWrite write, Optional<Long> ifVersion) {
            return answer(
                    label, write, ifVersion, replicas.get(random.nextInt(2)).write(id, write, TERMS));
        }

        /** Empty if the answer was lost. */
        private Optional<WriteOutcome> answer(
                String label, StatusWrite write, Optional<Long> ifVersion, Uni<WriteOutcome> asking) {
            long newest;
            synchronized (oracle) {
                oracle.asked(label, ifVersion);
                newest = oracle.newestTold();
            }
            try {
                var outcome = await(asking);
                synchronized (oracle) {
                    oracle.answered(label, write, outcome, newest);
                }
                return Optional.of(outcome);
            } catch (StoreUnavailableException lost) {
                synchronized (oracle) {
                    oracle.isUnknown(label);
                }
                return Optional.empty();
            }
        }

        private String label() {
            return "request-" + labels.incrementAndGet();
        }
    }

    @Override
    public void close() {
        alarms.shutdownNow();
    }
}
