package io.holdfast.power;

import static io.holdfast.lock.Fixtures.await;

import io.holdfast.lock.Fixtures;
import io.holdfast.lock.LockService;
import io.holdfast.lock.LockStore;
import io.holdfast.lock.TestClock;
import io.holdfast.lock.TestLimits;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.RegistryService;
import io.holdfast.registry.RegistryStore;
import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Apps that are up or down, a database that stops and starts, and replicas of Holdfast that watch over them. */
final class World {
    private static final int PORT = 5432;

    final DatabaseId id;
    final TestClock clock = new TestClock(Fixtures.NOON);
    final Map<AppName, AppProbe.Status> apps = new ConcurrentHashMap<>();
    final FakeDatabase database = new FakeDatabase();
    final List<Decision> decisions = Collections.synchronizedList(new ArrayList<>());
    final Settings settings = new Settings();
    private final Map<AppName, Runnable> onProbe = new ConcurrentHashMap<>();

    private final String name;
    private final LockStore locks;
    private final RegistryStore registry;
    private final PowerStore power;

    /** The stores may be shared with other worlds: everything in this one has names of its own. */
    World(LockStore locks, RegistryStore registry, PowerStore power) {
        this.name = UUID.randomUUID().toString();
        this.id = new DatabaseId(name + ":" + PORT);
        this.locks = locks;
        this.registry = registry;
        this.power = power;
        var address = new Database.Address(name, Optional.of(PORT), Optional.empty());
        await(registry.putDatabase(new Database(id, "postgres", address, new ActuatorSpec.Simulated())));
    }

    PowerStore store() {
        return power;
    }

    LockStore locks() {
        return locks;
    }

    RegistryStore registry() {
        return registry;
    }

    /** Registers an app that uses the database. */
    AppName app(String word, AppProbe.Status status) {
        var app = new AppName(word + "-" + name);
        apps.put(app, status);
        link(app);
        return app;
    }

    void link(AppName app) {
        var probe = new ProbeSpec(ProbePolicy.HTTP_200, Optional.empty(), Optional.empty(), 1);
        await(registry.putApp(new App(app, probe, Set.of(id))));
    }

    void unlink(AppName app) {
        await(registry.removeApp(app));
    }

    /** Something that happens while the app is being looked at, once. */
    void whileProbing(AppName app, Runnable happening) {
        onProbe.put(app, happening);
    }

    /** Nothing happens behind anybody's back any more. */
    void calm() {
        onProbe.clear();
    }

    /** The same store, with something that happens to every commit. */
    static PowerStore withCommit(PowerStore store, UnaryOperator<Uni<Boolean>> happening) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            var answer = method.invoke(store, arguments);
            @SuppressWarnings("unchecked")
            var commit = (Uni<Boolean>) answer;
            return method.getName().equals("commit") ? happening.apply(commit) : answer;
        };
        return (PowerStore)
                Proxy.newProxyInstance(PowerStore.class.getClassLoader(), new Class<?>[] {PowerStore.class}, handler);
    }

    /** One server process. */
    Replica replica() {
        return replica(database);
    }

    Replica replica(Actuator actuator) {
        return replica(actuator, power);
    }

    Replica replica(PowerStore store) {
        return replica(database, store);
    }

    private Replica replica(Actuator actuator, PowerStore power) {
        var outside =
                new Outside(this::probe, actuator, ignored -> Uni.createFrom().item(true), decisions::add);
        var timing = new Stopper.Timing(settings, clock, new Watch());
        var lock = new DatabaseLock(new LockService(locks, TestLimits.DEFAULT, clock), settings);
        var verifier = new Verifier(outside, settings, clock);
        var stopper = new Stopper(power, lock, outside, verifier, timing);
        var starter = new Starter(power, lock, outside, verifier, timing);
        var desk = new Reconciler.Desk(outside, timing, new Audit(power, outside, timing));
        return new Replica(
                new PowerService(registry, power, stopper, starter, desk),
                new Reconciler(power, lock, stopper, starter, desk));
    }

    /** Changes the registry as a caller would, so that the replica hears of it. */
    RegistryService registryOf(Replica replica) {
        return new RegistryService(registry, replica.reconciler());
    }

    record Replica(PowerService service, Reconciler reconciler) {
        Decision stop(AppName app) {
            return await(service.stop(app, false)).orElseThrow().getFirst();
        }

        Decision start(AppName app) {
            return await(service.start(app)).orElseThrow().getFirst();
        }
    }

    private Uni<AppProbe.Result> probe(Sharer sharer) {
        return Uni.createFrom().item(() -> {
            Optional.ofNullable(onProbe.remove(sharer.app())).ifPresent(Runnable::run);
            var status = apps.getOrDefault(sharer.app(), AppProbe.Status.UNKNOWN);
            return new AppProbe.Result(status, Optional.empty(), "as the test says");
        });
    }

    /** A database as an actuator shows it. It obeys at once, unless the test holds it up. */
    static final class FakeDatabase implements Actuator {
        final List<String> orders = Collections.synchronizedList(new ArrayList<>());
        final List<Long> epochs = Collections.synchronizedList(new ArrayList<>());
        private volatile State state = State.RUNNING;
        private volatile State afterStop = State.STOPPED;
        private volatile Runnable onStop = () -> {};

        @Override
        public Uni<Outcome> stop(Database database, long epoch) {
            return Uni.createFrom().item(() -> {
                orders.add("stop");
                epochs.add(epoch);
                onStop.run();
                if (state == State.STOPPED) {
                    return new Outcome.Already();
                }
                state = afterStop;
                return new Outcome.Accepted();
            });
        }

        @Override
        public Uni<Outcome> start(Database database, long epoch) {
            return Uni.createFrom().item(() -> {
                orders.add("start");
                epochs.add(epoch);
                state = State.RUNNING;
                return new Outcome.Accepted();
            });
        }

        @Override
        public Uni<State> state(Database database) {
            return Uni.createFrom().item(() -> state);
        }

        void becomes(State newState) {
            state = newState;
        }

        State now() {
            return state;
        }

        void hangsWhenStopped() {
            afterStop = State.STOPPING;
        }

        void onStop(Runnable happening) {
            onStop = happening;
        }

        long stops() {
            return orders.stream().filter(order -> order.equals("stop")).count();
        }
    }

    /** Quick where a test would have to wait, and as in production elsewhere. */
    static final class Settings implements PowerConfig {
        private final Map<String, Object> changed = new HashMap<>();

        Settings with(String key, Object value) {
            changed.put(key, value);
            return this;
        }

        @SuppressWarnings("unchecked")
        private <T> T get(String key, T otherwise) {
            return (T) changed.getOrDefault(key, otherwise);
        }

        @Override
        public boolean sharedDbLockEnabled() {
            return get("shared-db-lock-enabled", true);
        }

        @Override
        public Duration lockTtl() {
            return Duration.ofSeconds(60);
        }

        @Override
        public int lockMaxRetries() {
            return get("lock-max-retries", 3);
        }

        @Override
        public Duration lockRetryPause() {
            return Duration.ofMillis(2);
        }

        @Override
        public Duration leaseMargin() {
            return Duration.ofSeconds(15);
        }

        @Override
        public Duration pollEvery() {
            return Duration.ofMillis(1);
        }

        @Override
        public Duration answerMax() {
            return get("answer-max", Duration.ZERO);
        }

        @Override
        public Duration stopMax() {
            return Duration.ofMinutes(15);
        }

        @Override
        public Duration hold() {
            return Duration.ofMinutes(10);
        }

        @Override
        public Duration minUpTime() {
            return get("min-up-time", Duration.ZERO);
        }

        @Override
        public Duration downFor() {
            return Duration.ofMinutes(2);
        }

        @Override
        public int maxStopsPerHour() {
            return get("max-stops-per-hour", 1_000_000);
        }

        @Override
        public Duration decisionRetention() {
            return Duration.ofDays(30);
        }

        @Override
        public String reconcileEvery() {
            return "off";
        }

        @Override
        public String reconcileFirstAfter() {
            return "0s";
        }

        @Override
        public int reconcileParallelMax() {
            return 4;
        }
    }
}
