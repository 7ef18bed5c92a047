package io.holdfast.lock.history;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.ForceReleaseOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** One history: sets it up from a profile and a seed, plays it, heals everything, and sees that every lock is free again. */
final class History {
    private static final Duration CALM = Duration.ofMinutes(6);
    private static final Duration LAST_ACQUIRE_MAX = Duration.ofMinutes(4);

    private final Profile profile;
    private final Simulation simulation;
    private final Oracle oracle;
    private final StoreNetwork storeNetwork;
    private final ClientNetwork network;
    private final Backend backend;
    private final World world;
    private final List<Client> clients = new ArrayList<>();
    private final Disturbances disturbances;
    private int replicasMade;
    private int freed;

    History(Profile profile, long seed, Function<StoreNetwork, Backend> backend) {
        SeededThread.seed(seed);
        this.profile = profile;
        this.simulation = new Simulation(seed);
        this.oracle = new Oracle(simulation);
        this.storeNetwork = new StoreNetwork(simulation, profile);
        this.network = new ClientNetwork(simulation, profile, oracle);
        this.backend = backend.apply(storeNetwork);
        var locks = IntStream.rangeClosed(1, profile.locks())
                .mapToObj(i -> new LockName("lock-" + i))
                .toList();
        this.world = new World(simulation, profile, oracle, network, locks, new SharedIds(simulation));
        this.disturbances = new Disturbances(world, this.backend, storeNetwork, this::replace);
        IntStream.range(0, profile.replicas()).forEach(i -> network.replicas().add(newReplica()));
        addClients();
    }

    private void addClients() {
        IntStream.range(0, profile.leaseClients())
                .forEach(i -> clients.add(new LeaseClient(world, "leaser-" + i, false)));
        IntStream.range(0, profile.heartbeatClients())
                .forEach(i -> clients.add(new LeaseClient(world, "beater-" + i, true)));
        IntStream.range(0, profile.holdClients()).forEach(i -> clients.add(new HoldingClient(world, "holder-" + i)));
        IntStream.range(0, profile.setClients()).forEach(i -> clients.add(new SetClient(world, "taker-" + i)));
    }

    private Replica newReplica() {
        var offset = simulation.between(Replica.OFFSET_MAX.negated(), Replica.OFFSET_MAX);
        return new Replica("replica-" + ++replicasMade, simulation, backend, offset);
    }

    private void replace(Replica gone) {
        network.replicas().set(network.replicas().indexOf(gone), newReplica());
    }

    /** @return what is wrong with this history; empty if nothing */
    Optional<String> play() {
        clients.forEach(Client::begin);
        disturbances.begin();
        var end = Simulation.START.plus(profile.length());
        if (goesWellUntil(end)) {
            heal();
            if (goesWellUntil(end.plus(CALM))) {
                checkThatNobodyWaits();
                world.locks()
                        .forEach(lock -> acquireOnceMore(lock, simulation.now().plus(LAST_ACQUIRE_MAX)));
                if (goesWellUntil(simulation.now().plus(LAST_ACQUIRE_MAX)) && freed < profile.locks()) {
                    oracle.violation("only %d of %d locks could be acquired in the end", freed, profile.locks());
                }
            }
        }
        return oracle.violations().stream().findFirst();
    }

    List<String> journal() {
        return simulation.journal();
    }

    private boolean goesWellUntil(Instant end) {
        while (oracle.violations().isEmpty() && simulation.step(end)) {
            // The next event.
        }
        return oracle.violations().isEmpty();
    }

    private void heal() {
        simulation.note("everything heals");
        storeNetwork.heal();
        network.heal();
        disturbances.end();
        clients.forEach(Client::retire);
    }

    private void checkThatNobodyWaits() {
        if (network.pending() > 0) {
            oracle.violation("%d requests were never answered", network.pending());
        }
    }

    private void acquireOnceMore(LockName lock, Instant end) {
        var owner = new Owner("last-of-" + lock);
        var command = Requests.wish(
                lock,
                owner,
                Optional.of(simulation.anId()),
                new Requests.Terms(profile.ttl(), Optional.empty()).wish());
        network.ask(network.any(), Requests.acquire(command), World.PATIENCE, reply -> {
            if (reply instanceof Reply.Answer<Timestamped<AcquireOutcome>> answer
                    && answer.value().answer() instanceof AcquireOutcome.Granted granted) {
                oracle.granted(granted.lease(), answer.sent(), answer.deadline(granted.lease()));
                freed++;
            } else if (simulation.now().isBefore(end)) {
                simulation.after(Duration.ofSeconds(1), () -> acquireOnceMore(lock, end));
            }
        });
    }

    /** What an administrator does, and somebody who looks on. */
    static final class Administrator {
        private final World world;
        private final Stranger stranger;

        Administrator(World world) {
            this.world = world;
            this.stranger = new Stranger(world);
        }

        void look(LockName name) {
            world.network().ask(world.network().any(), Requests.find(name), World.PATIENCE, reply -> {
                if (reply instanceof Reply.Answer<Timestamped<Optional<LockRecord>>> answer) {
                    answer.value().answer().ifPresent(record -> shown(record, answer));
                }
            });
        }

        private void shown(LockRecord record, Reply.Answer<?> answer) {
            if (record.end().isPresent()) {
                world.oracle().shownAsReleased(record.name(), answer.sent());
            }
            record.queue().aliveAt(answer.clock()).tickets().forEach(ticket -> world.oracle()
                    .shownInQueue(record.name(), ticket.owner(), ticket.id()));
        }

        /** Looks who holds the lock, and takes it away from that one; a stranger tries to. */
        void force(LockName name) {
            world.network().ask(world.network().any(), Requests.find(name), World.PATIENCE, reply -> {
                if (reply instanceof Reply.Answer<Timestamped<Optional<LockRecord>>> answer) {
                    answer.value()
                            .answer()
                            .filter(record -> record.end().isEmpty())
                            .ifPresent(this::force);
                }
            });
        }

        private void force(LockRecord seen) {
            if (seen.lease().owner().subject().isPresent() && world.simulation().chance(0.6)) {
                stranger.meddle(seen);
            } else {
                forceAsAdministrator(seen);
            }
        }

        private void forceAsAdministrator(LockRecord seen) {
            var token = seen.token();
            var victims = world.oracle().forcing(seen.name(), token);
            var request = Requests.force(seen.name(), token, Optional.empty());
            world.simulation().note("admin: forces %s with token %s", seen.name(), token);
            world.network().ask(world.network().any(), request, World.PATIENCE, reply -> {
                if (reply instanceof Reply.Answer<Timestamped<ForceReleaseOutcome>> answer) {
                    var outcome = answer.value().answer();
                    world.simulation()
                            .note("admin: is answered %s", outcome.getClass().getSimpleName());
                    if (!(outcome instanceof ForceReleaseOutcome.Freed)) {
                        world.oracle().forceRefused(seen.name(), token, victims);
                    }
                }
            });
        }
    }
}
