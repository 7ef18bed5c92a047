package io.holdfast.lifecycle.history;

import static io.holdfast.lifecycle.port.LifecycleFixtures.RETENTION;
import static io.holdfast.lifecycle.port.LifecycleFixtures.RULES;
import static io.holdfast.lifecycle.port.LifecycleFixtures.SPEC;
import static io.holdfast.lifecycle.port.LifecycleFixtures.anId;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.TestClock;
import io.holdfast.lifecycle.action.MoveSignal;
import io.holdfast.lifecycle.action.StatusLock;
import io.holdfast.lifecycle.action.StatusLockTerms;
import io.holdfast.lifecycle.action.StatusWrites;
import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.ExpectedStatus;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.port.HeardLifecycle;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceDriver;
import io.holdfast.lifecycle.port.StatusChange;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.RulesStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** One random history of one service, made from a seed: replicas, API, workers, reconciler, faults and time. */
final class LifecycleHistory {
    private static final int STEPS = 60;
    private static final int DEPTH_MAX = 3;

    /** Of these deployments, requests are repeated. A service remembers more. */
    private static final int RECENT = 6;

    private static final StatusLockTerms TERMS =
            new StatusLockTerms(Duration.ofSeconds(10), 1, Duration.ZERO, Duration.ZERO, Duration.ofMillis(500), 1);

    private final Random random;
    private final LifecycleStore store;
    private final ServiceId id = anId();
    private final TestClock trueTime = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(trueTime);
    private final RulesStore locks = new RulesStore(Fixtures.RULES);
    private final LifecycleOracle oracle = new LifecycleOracle();
    private final List<Replica> replicas = new ArrayList<>();
    private final List<StatusWrite.Deploy> deploys = new ArrayList<>();
    private final List<StatusWrite.Report> deployments = new ArrayList<>();
    private final List<StatusWrite> reports = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();
    private int labels;
    private int depth;
    private boolean faulty;

    private LifecycleHistory(long seed, LifecycleStore store) {
        this.random = new Random(seed);
        this.store = store;
    }

    /** @return how many rows were written, so that a test can tell whether anything has happened */
    static int playAll(int histories, LifecycleStore store) {
        var rows = 0;
        for (var seed = 0L; seed < histories; seed++) {
            try {
                rows += new LifecycleHistory(seed, store).play();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        return rows;
    }

    /** A replica with a clock of its own, within the guard. */
    private final class Replica implements FaultyLifecycleStore.Faults {
        private final InstantSource clock;
        private final StatusWrites writes;

        Replica() {
            var offset = Duration.ofMillis(random.nextLong(-SKEW.toMillis() / 2, SKEW.toMillis() / 2 + 1));
            clock = () -> trueTime.instant().plus(offset);
            var heard = new HeardLifecycle();
            var service = TestLimits.service(locks, clock, timers, new LeaseRenewers(locks, clock, timers));
            writes = new StatusWrites(
                    FaultyLifecycleStore.around(store, this),
                    new StatusLock(service, timers, clock, heard),
                    RULES,
                    RETENTION,
                    clock,
                    heard,
                    new MoveSignal());
        }

        @Override
        public void beforeStep() {
            if (faulty && depth < DEPTH_MAX && random.nextInt(3) == 0) {
                step();
            }
        }

        @Override
        public FaultyLifecycleStore.Fate nextCommit() {
            return faulty && random.nextInt(4) == 0
                    ? FaultyLifecycleStore.Fate.values()[random.nextInt(4)]
                    : FaultyLifecycleStore.Fate.DONE;
        }

        @Override
        public void arrivesLate(StatusChange change, Instant until) {
            late.add(() -> await(store.commit(change, until)));
        }
    }

    private int play() {
        replicas.add(new Replica());
        replicas.add(new Replica());
        var feedBefore = await(store.feedEnd()).sequence(LifecycleStore.shardOf(id));
        register(any(replicas));
        faulty = true;
        for (var i = 0; i < STEPS; i++) {
            step();
        }
        end();
        var rows = new ServiceDriver(store).history(id).reversed();
        oracle.judge(rows, await(store.find(id)));
        assertThat(feed(feedBefore)).isEqualTo(rows);
        return rows.size();
    }

    private List<Move> feed(long after) {
        return await(store.feed(LifecycleStore.shardOf(id), after, 10_000)).stream()
                .map(entry -> entry.move())
                .filter(move -> move.service().equals(id))
                .toList();
    }

    /** One random request at a random replica, perhaps in the middle of another request. */
    private void step() {
        depth++;
        var replica = any(replicas);
        switch (random.nextInt(18)) {
            case 0, 1, 2 -> deploy(replica);
            case 3, 4, 5 -> report(replica);
            case 6, 7 -> set(replica);
            case 8, 9, 10 -> reconcile(replica);
            case 11 -> repeat(replica);
            case 12 -> arrive();
            case 13 -> removeOrRegister(replica);
            // All processes sleep: no lease is extended.
            case 14 -> trueTime.advance(Duration.ofMillis(random.nextInt(1, 15_000)));
            case 15 -> trueTime.advance(Duration.ofMinutes(random.nextInt(1, 20)));
            default -> timers.advance(Duration.ofMillis(random.nextInt(1, 12_000)));
        }
        depth--;
    }

    private String label() {
        return "request-" + labels++;
    }

    private void deploy(Replica replica) {
        var seen = random.nextBoolean()
                ? Optional.<Long>empty()
                : await(store.find(id)).map(Service::version);
        var deploy = new StatusWrite.Deploy(DeploymentId.random(), Optional.of(label()), Optional.empty(), seen);
        deploys.add(deploy);
        told(replica, deploy, write(replica, deploy.reason().orElseThrow(), seen, deploy));
    }

    private void told(Replica replica, StatusWrite.Deploy deploy, Optional<WriteOutcome> answer) {
        var outcome = answer;
        if (outcome.isEmpty() && random.nextBoolean()) {
            // With the same id, at any replica, and perhaps lost again.
            outcome = write(any(replicas), deploy.reason().orElseThrow(), deploy.ifVersion(), deploy);
        }
        outcome.flatMap(LifecycleHistory::service)
                .ifPresent(service -> deployments.add(new StatusWrite.Report(
                        deploy.id(),
                        service.deployment().orElseThrow().epoch(),
                        ServiceStatus.RUNNING,
                        false,
                        Optional.empty())));
    }

    private static Optional<Service> service(WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Written written -> Optional.of(written.service());
            case WriteOutcome.WrittenBefore before -> Optional.of(before.service());
            default -> Optional.empty();
        };
    }

    /** Of any deployment that a worker was told of, also of an old one. */
    private void report(Replica replica) {
        if (deployments.isEmpty()) {
            return;
        }
        var of = random.nextInt(4) == 0 ? any(deployments) : deployments.getLast();
        var status = random.nextInt(3) == 0 ? ServiceStatus.FAILED : ServiceStatus.RUNNING;
        var rolledBack = status == ServiceStatus.RUNNING && random.nextInt(4) == 0;
        var label = label();
        var report = new StatusWrite.Report(of.deployment(), of.epoch(), status, rolledBack, Optional.of(label));
        reports.add(report);
        var answer = write(replica, label, Optional.empty(), report);
        if (answer.isEmpty()) {
            write(any(replicas), label, Optional.empty(), report);
        }
    }

    private void set(Replica replica) {
        var seen = await(store.find(id));
        var to = any(
                List.of(ServiceStatus.RUNNING, ServiceStatus.STOPPED, ServiceStatus.FAILED, ServiceStatus.CRASHING));
        var ifVersion = seen.map(Service::version).filter(version -> random.nextBoolean());
        var label = label();
        if (depth < DEPTH_MAX && random.nextBoolean()) {
            step();
        }
        write(replica, label, ifVersion, new StatusWrite.Set(to, Optional.of(label), ifVersion));
    }

    /** The service is read, then observed, and then repaired. Meanwhile others go on. */
    private void reconcile(Replica replica) {
        var read = await(store.find(id));
        if (read.isEmpty()) {
            return;
        }
        var label = label();
        var states = Observation.State.values();
        var seen = new Observation(states[random.nextInt(states.length)], label);
        if (depth < DEPTH_MAX && random.nextBoolean()) {
            step();
        }
        ExpectedStatus.of(read.get(), seen, replica.clock.instant())
                .ifPresent(expected -> repair(replica, read.get(), new StatusWrite.Repair(expected, seen)));
    }

    private Optional<WriteOutcome> repair(Replica replica, Service read, StatusWrite.Repair repair) {
        var label = repair.seen().detail();
        oracle.asked(label, Optional.of(read.version()));
        return answer(label, repair, () -> await(replica.writes.write(read, repair, TERMS)));
    }

    /** A copy of an old request arrives late. */
    private void repeat(Replica replica) {
        if (random.nextBoolean() && !deploys.isEmpty()) {
            var old = any(deploys.subList(Math.max(0, deploys.size() - RECENT), deploys.size()));
            told(replica, old, write(replica, old.reason().orElseThrow(), old.ifVersion(), old));
        } else if (!reports.isEmpty()) {
            var old = (StatusWrite.Report) any(reports);
            write(replica, old.reason().orElseThrow(), Optional.empty(), old);
        }
    }

    private void arrive() {
        if (!late.isEmpty()) {
            late.remove(random.nextInt(late.size())).run();
        }
    }

    private void removeOrRegister(Replica replica) {
        if (random.nextInt(3) > 0) {
            return;
        }
        // A service that is registered again knows nothing of earlier deployments.
        deploys.clear();
        if (await(store.find(id)).isPresent()) {
            remove(replica);
        } else {
            register(replica);
        }
    }

    private void remove(Replica replica) {
        var newest = oracle.newestTold();
        try {
            var outcome = await(replica.writes.write(id, new StatusWrite.Remove(), TERMS));
            if (outcome instanceof WriteOutcome.Written removed) {
                oracle.removed(removed.service(), newest);
            }
        } catch (StoreUnavailableException e) {
            oracle.removalIsUnknown();
        }
    }

    private void register(Replica replica) {
        var newest = oracle.newestTold();
        var last = await(store.history(id, 1, Optional.empty())).items().stream()
                .mapToLong(Move::version)
                .max()
                .orElse(0);
        var change = RULES.register(id, SPEC, last, replica.clock.instant());
        try {
            if (await(replica.writes.commit(change))) {
                oracle.registered(change.after().orElseThrow(), newest);
            }
        } catch (StoreUnavailableException e) {
            oracle.registrationIsUnknown();
        }
    }

    private Optional<WriteOutcome> write(Replica replica, String label, Optional<Long> ifVersion, StatusWrite write) {
        oracle.asked(label, ifVersion);
        return answer(label, write, () -> await(replica.writes.write(id, write, TERMS)));
    }

    private interface Asking {
        WriteOutcome answer();
    }

    /** Empty if the answer was lost. */
    private Optional<WriteOutcome> answer(String label, StatusWrite write, Asking asking) {
        var newest = oracle.newestTold();
        try {
            var outcome = asking.answer();
            oracle.answered(label, write, outcome, newest);
            return Optional.of(outcome);
        } catch (StoreUnavailableException e) {
            oracle.isUnknown(label);
            return Optional.empty();
        }
    }

    /** Without faults, one pass after the deadline ends what no worker has ended. */
    private void end() {
        while (!late.isEmpty()) {
            arrive();
        }
        faulty = false;
        trueTime.advance(Duration.ofHours(1));
        await(store.find(id))
                .filter(service -> service.status() == ServiceStatus.DEPLOYING)
                .ifPresent(stuck -> {
                    var seen = new Observation(Observation.State.ABSENT, label());
                    var expected =
                            ExpectedStatus.of(stuck, seen, trueTime.instant()).orElseThrow();
                    assertThat(repair(replicas.getFirst(), stuck, new StatusWrite.Repair(expected, seen)))
                            .get()
                            .isInstanceOf(WriteOutcome.Written.class);
                });
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
