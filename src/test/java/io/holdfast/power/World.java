package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
import io.holdfast.power.action.Audit;
import io.holdfast.power.action.DatabaseLock;
import io.holdfast.power.action.ProbeHistory;
import io.holdfast.power.action.Starter;
import io.holdfast.power.action.StatePoller;
import io.holdfast.power.action.StopExecution;
import io.holdfast.power.action.Stopper;
import io.holdfast.power.action.Timing;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.PendingCounts;
import io.holdfast.power.model.PowerConfig;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.AppProbe;
import io.holdfast.power.port.DatabaseAnswers;
import io.holdfast.power.port.PowerListener;
import io.holdfast.power.port.PowerStore;
import io.holdfast.power.reconcile.ReconcileStep;
import io.holdfast.power.reconcile.Reconciler;
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
    final Map<AppName, AppStatus> apps = new ConcurrentHashMap<>();
    final FakeDatabase database = new FakeDatabase();
    final List<Decision> decisions = Collections.synchronizedList(new ArrayList<>());
    final List<Optional<PendingCounts>> passes = Collections.synchronizedList(new ArrayList<>());
    final Settings settings = new Settings();
    private final PowerListener listener = new PowerListener() {
        @Override
        public void decided(Decision decision) {
            decisions.add(decision);
        }

        @Override
        public void lockAsked(int retries) {}

        @Override
        public void passed(PendingCounts pending) {
            passes.add(Optional.of(pending));
        }

        @Override
        public void passFailed() {
            passes.add(Optional.empty());
        }
    };
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
    AppName app(String word, AppStatus status) {
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

    /** The same store, with something that happens to every answer of one kind. */
    PowerStore withEvery(String step, UnaryOperator<Uni<Object>> happening) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            @SuppressWarnings("unchecked")
            var answer = (Uni<Object>) method.invoke(power, arguments);
            return method.getName().equals(step) ? happening.apply(answer) : answer;
        };
        return (PowerStore)
                Proxy.newProxyInstance(PowerStore.class.getClassLoader(), new Class<?>[] {PowerStore.class}, handler);
    }

    /** The same store, which does not answer when it is asked for this. */
    PowerStore failingAt(String step) {
        return withEvery(step, answer -> Uni.createFrom().failure(new StoreUnavailableException("Nobody knows.")));
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

    Replica replica(Actuator actuator, PowerStore power) {
        DatabaseAnswers answers = ignored -> Uni.createFrom().item(true);
        var timing = new Timing(settings, clock, new ProbeHistory());
        var lock = new DatabaseLock(TestLimits.service(locks, clock), settings, listener, clock);
        var poller = new StatePoller(actuator, answers, settings, clock);
        var stopOrder = new StopExecution(power, actuator, poller, timing);
        var stopper = new Stopper(power, lock, this::probe, actuator, stopOrder, timing);
        var starter = new Starter(power, lock, actuator, answers, poller, timing);
        var audit = new Audit(power, listener, timing);
        var nextStep = new ReconcileStep(power, actuator, stopper, starter, stopOrder, timing);
        var reconciler = new Reconciler(power, lock, nextStep, audit, timing);
        return new Replica(
                new PowerService(registry, power, stopper, starter, audit, timing),
                reconciler,
                new PowerDrain(reconciler, poller));
    }

    /** Changes the registry as a caller would, so that the replica hears of it. */
    RegistryService registryOf(Replica replica) {
        return new RegistryService(registry, replica.reconciler());
    }

    record Replica(PowerService service, Reconciler reconciler, PowerDrain drain) {
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
            var status = apps.getOrDefault(sharer.app(), AppStatus.UNKNOWN);
            return new AppProbe.Result(status, Optional.empty(), "as the test says");
        });
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
        public int startLockMaxRetries() {
            return get("start-lock-max-retries", 3);
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
        public Duration startClaim() {
            return Duration.ofMinutes(10);
        }

        @Override
        public Duration minUpTime() {
            return get("min-up-time", Duration.ZERO);
        }

        @Override
        public Duration startMax() {
            return Duration.ofMinutes(15);
        }

        @Override
        public Duration refusedPause() {
            return Duration.ofMinutes(5);
        }

        @Override
        public Duration recheckEvery() {
            return Duration.ofMinutes(5);
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
