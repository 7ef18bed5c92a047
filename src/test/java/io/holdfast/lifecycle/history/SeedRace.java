package io.holdfast.lifecycle.history;

import static io.holdfast.lifecycle.port.LifecycleFixtures.RETENTION;
import static io.holdfast.lifecycle.port.LifecycleFixtures.RULES;
import static io.holdfast.lifecycle.port.LifecycleFixtures.SPEC;
import static io.holdfast.lifecycle.port.LifecycleFixtures.anId;
import static io.holdfast.lifecycle.port.LifecycleFixtures.deploy;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lifecycle.action.MoveSignal;
import io.holdfast.lifecycle.action.StatusLock;
import io.holdfast.lifecycle.action.StatusLockTerms;
import io.holdfast.lifecycle.action.StatusWrites;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.port.FakeLifecycleStore;
import io.holdfast.lifecycle.port.HeardLifecycle;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceDriver;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.RulesStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The race of the seed: the API writes DEPLOYING, its client repeats the request at another replica, and the worker, which
 * begins as soon as either is answered, writes RUNNING. Each of the three takes the lock, reads and commits. All orders of
 * these nine steps are made, each with the processes asleep for longer than the TTL at one point, or never.
 */
final class SeedRace {
    static final int STEPS_OF_ONE = 3;
    static final int STEPS = STEPS_OF_ONE * Who.values().length;
    static final int NEVER = STEPS;

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final StatusLockTerms TERMS =
            new StatusLockTerms(TTL, 10, Duration.ofMillis(200), Duration.ZERO, Duration.ofMillis(500), 1);
    private static final Duration RETRY = Duration.ofMillis(200);

    enum Who {
        API,
        API_AGAIN,
        WORKER
    }

    private final LifecycleStore store;
    private final ServiceId id = anId();
    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final RulesStore locks = new RulesStore(Fixtures.RULES);
    private final StatusWrite.Deploy deploy = deploy();
    private final Map<Who, Writer> writers = new EnumMap<>(Who.class);

    /** One of the three, at a replica of its own. */
    private final class Writer {
        private final GatedLifecycleStore gates = new GatedLifecycleStore(store);
        private final StatusWrites writes;
        private CompletableFuture<WriteOutcome> outcome;

        Writer() {
            var service = TestLimits.service(locks, clock, timers, new LeaseRenewers(locks, clock, timers));
            var heard = new HeardLifecycle();
            writes = new StatusWrites(
                    gates.gated(),
                    new StatusLock(service, timers, clock, heard),
                    RULES,
                    RETENTION,
                    clock,
                    heard,
                    new MoveSignal());
        }

        void begin(StatusWrite write) {
            outcome = writes.write(id, write, TERMS).subscribeAsCompletionStage();
        }

        /** Begins, or carries out its next step at the store, or asks for the lock again. */
        void step(Optional<? extends StatusWrite> write) {
            if (outcome == null) {
                write.ifPresent(this::begin);
            } else if (gates.isWaiting()) {
                gates.carryOutNext();
            } else if (!outcome.isDone()) {
                timers.advance(RETRY);
            }
        }

        boolean isDone() {
            return outcome != null && outcome.isDone();
        }

        Optional<WriteOutcome> told() {
            return isDone() ? Optional.of(outcome.join()) : Optional.empty();
        }
    }

    SeedRace(LifecycleStore store) {
        this.store = store;
        for (var who : Who.values()) {
            writers.put(who, new Writer());
        }
    }

    /** @return the outcomes of the three */
    Map<Who, WriteOutcome> run(List<Who> order, int asleepBefore) {
        var registered = RULES.register(id, SPEC, 0, NOON);
        assertThat(await(store.commit(registered, NOON.plus(RETENTION)))).isTrue();
        for (var i = 0; i < STEPS; i++) {
            if (i == asleepBefore) {
                clock.advance(TTL.plus(SKEW).plusMillis(1));
            }
            step(order.get(i));
        }
        for (var i = 0; i < 1000 && !areAllDone(); i++) {
            step(Who.values()[i % Who.values().length]);
        }
        var outcomes = new EnumMap<Who, WriteOutcome>(Who.class);
        writers.forEach((who, writer) -> writer.told().ifPresent(outcome -> outcomes.put(who, outcome)));
        check(outcomes);
        return outcomes;
    }

    private void step(Who who) {
        var write = who == Who.WORKER ? result() : Optional.of(deploy);
        writers.get(who).step(write);
    }

    /** Until the deployment has an epoch that was told, there is nothing to report. */
    private Optional<StatusWrite> result() {
        return writers.values().stream()
                .flatMap(writer -> writer.told().stream())
                .flatMap(outcome -> began(outcome).stream())
                .findFirst()
                .map(deployment -> new StatusWrite.Report(
                        deploy.id(),
                        deployment.deployment().orElseThrow().epoch(),
                        ServiceStatus.RUNNING,
                        false,
                        Optional.empty()));
    }

    private static Optional<Service> began(WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Written written -> Optional.of(written.service());
            case WriteOutcome.WrittenBefore before -> Optional.of(before.service());
            default -> Optional.empty();
        };
    }

    private boolean areAllDone() {
        return writers.entrySet().stream()
                .allMatch(writer -> writer.getValue().isDone()
                        || writer.getKey() == Who.WORKER && writer.getValue().outcome == null && isNoDeploymentTold());
    }

    /** Both requests for the deployment were refused, or lost their version to each other. */
    private boolean isNoDeploymentTold() {
        return writers.get(Who.API).isDone() && writers.get(Who.API_AGAIN).isDone() && result().isEmpty();
    }

    private void check(Map<Who, WriteOutcome> outcomes) {
        var driver = new ServiceDriver(store);
        var rows = driver.history(id).reversed();
        assertThat(rows.stream().filter(row -> row.to().equals(Optional.of(ServiceStatus.DEPLOYING))))
                .as("the deployment begins once, at most")
                .hasSizeLessThanOrEqualTo(1);
        var first = rows.getFirst().version();
        for (var i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).version()).isEqualTo(first + i);
        }
        if (outcomes.get(Who.WORKER) instanceof WriteOutcome.Written reported) {
            assertThat(reported.service().status()).isEqualTo(ServiceStatus.RUNNING);
            assertThat(driver.find(id))
                    .as("the late DEPLOYING does not land after RUNNING")
                    .contains(reported.service());
        }
    }

    /** @param asleepBefore the step before which the processes sleep */
    record Pause(List<Who> order, int asleepBefore) {}

    /** Runs every order with every pause. The races in which only the version refuses a writer. */
    static List<Pause> decidedByVersion() {
        var deciding = new ArrayList<Pause>();
        for (var order : orders()) {
            for (var asleepBefore = 0; asleepBefore < STEPS; asleepBefore++) {
                var outcomes = new SeedRace(new FakeLifecycleStore()).run(order, asleepBefore);
                if (outcomes.values().stream().anyMatch(WriteOutcome.VersionConflict.class::isInstance)) {
                    deciding.add(new Pause(order, asleepBefore));
                }
            }
        }
        return deciding;
    }

    static List<List<Who>> orders() {
        return orders(List.of(), STEPS_OF_ONE, STEPS_OF_ONE, STEPS_OF_ONE);
    }

    private static List<List<Who>> orders(List<Who> begun, int api, int again, int worker) {
        if (api + again + worker == 0) {
            return List.of(begun);
        }
        var all = new ArrayList<List<Who>>();
        if (api > 0) {
            all.addAll(orders(with(begun, Who.API), api - 1, again, worker));
        }
        if (again > 0) {
            all.addAll(orders(with(begun, Who.API_AGAIN), api, again - 1, worker));
        }
        if (worker > 0) {
            all.addAll(orders(with(begun, Who.WORKER), api, again, worker - 1));
        }
        return all;
    }

    private static List<Who> with(List<Who> begun, Who next) {
        var longer = new ArrayList<>(begun);
        longer.add(next);
        return longer;
    }
}
