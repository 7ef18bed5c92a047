package io.holdfast.power;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One server process in a history. Its calls to the store and to the actuator are numbered within an operation; at one of
 * them something else may happen first, the answer may get lost after the write, or the process may end.
 */
final class HistoryReplica {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private final World world;
    private final PowerOracle oracle;
    private final World.Replica replica;
    private final CompletableFuture<Void> died = new CompletableFuture<>();
    private Plan plan = Plan.UNDISTURBED;
    private Optional<AppName> asking = Optional.empty();
    private int calls;
    private long lastLook;
    private boolean busy;

    enum Fault {
        NONE,
        ANSWER_LOST,
        DEATH_BEFORE,
        DEATH_AFTER
    }

    /**
     * @param happeningAt before which call it happens
     * @param faultAt at which call the fault is
     */
    record Plan(int happeningAt, Runnable happening, int faultAt, Fault fault) {
        static final Plan UNDISTURBED = new Plan(0, () -> {}, 0, Fault.NONE);
    }

    HistoryReplica(World world, PowerOracle oracle) {
        this.world = world;
        this.oracle = oracle;
        this.replica = world.replica(new ObservedActuator(), observedStore());
    }

    World.Replica server() {
        return replica;
    }

    boolean isBusy() {
        return busy;
    }

    boolean isDead() {
        return died.isDone();
    }

    /** Empty if the process ended on the way. */
    <T> Optional<T> run(Optional<AppName> asks, Plan newPlan, Supplier<Uni<T>> operation) {
        busy = true;
        plan = newPlan;
        asking = asks;
        calls = 0;
        var running = operation.get().subscribeAsCompletionStage();
        CompletableFuture.anyOf(running, died)
                .orTimeout(ANSWER_MAX.toSeconds(), TimeUnit.SECONDS)
                .join();
        busy = false;
        plan = Plan.UNDISTURBED;
        return running.isDone() ? Optional.of(running.join()) : Optional.empty();
    }

    private PowerStore observedStore() {
        InvocationHandler handler =
                (proxy, method, arguments) -> Uni.createFrom().deferred(() -> {
                    var decides = method.getName().equals("snapshot")
                            || method.getName().equals("commit");
                    return disturbed(() -> {
                        if (decides) {
                            lastLook = oracle.nextMoment();
                        }
                        return invoked(() -> method.invoke(world.store(), arguments));
                    });
                });
        return (PowerStore)
                Proxy.newProxyInstance(PowerStore.class.getClassLoader(), new Class<?>[] {PowerStore.class}, handler);
    }

    private interface Call {
        Object make() throws ReflectiveOperationException;
    }

    @SuppressWarnings("unchecked")
    private static Uni<Object> invoked(Call call) {
        try {
            return (Uni<Object>) call.make();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private <T> Uni<T> disturbed(Supplier<Uni<T>> call) {
        calls++;
        var fault = calls == plan.faultAt() ? plan.fault() : Fault.NONE;
        if (calls == plan.happeningAt()) {
            plan.happening().run();
        }
        return switch (fault) {
            case NONE -> call.get();
            case ANSWER_LOST ->
                call.get().chain(() -> Uni.createFrom().failure(new StoreUnavailableException("The answer was lost.")));
            case DEATH_BEFORE -> death();
            case DEATH_AFTER -> call.get().chain(this::death);
        };
    }

    private <T> Uni<T> death() {
        died.complete(null);
        return Uni.createFrom().nothing();
    }

    /** The world's database, with a look at who stands against each order to stop. */
    private final class ObservedActuator implements Actuator {
        @Override
        public Uni<Outcome> stop(Database database, long epoch) {
            return Uni.createFrom()
                    .deferred(() -> disturbed(() -> {
                        oracle.stopOrdered(lastLook, asking);
                        return world.database.stop(database, epoch);
                    }));
        }

        @Override
        public Uni<Outcome> start(Database database, long epoch) {
            return Uni.createFrom().deferred(() -> disturbed(() -> world.database.start(database, epoch)));
        }

        @Override
        public Uni<Reading> state(Database database) {
            return world.database.state(database);
        }
    }
}
