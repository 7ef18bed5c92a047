package io.holdfast.lock.history;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.RulesStore;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules on a map that all replicas share. Each replica reaches it over the network, and knows exactly whether its own
 * clock is off: then it decides without takeovers, and neither grants nor renews if its clock is behind.
 */
final class RulesBackend implements Backend {
    private static final Set<String> NOT_BY_A_CLOCK_BEHIND = Set.of("acquire", "renew");

    private final StoreNetwork network;
    private final LockStore trusting;
    private final LockStore distrusting;

    RulesBackend(StoreNetwork network) {
        this.network = network;
        Map<LockName, LockRecord> records = new HashMap<>();
        var rules = TestLimits.DEFAULT.rules();
        this.trusting = new RulesStore(rules, records);
        this.distrusting = new RulesStore(rules.withoutTakeovers(), records);
    }

    @Override
    public Connection connect(Replica replica) {
        var store = (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, args) -> Uni.createFrom().emitter(caller -> send(replica, method, args, caller)));
        return new Connection(store, () -> correction(replica));
    }

    private Duration correction(Replica replica) {
        return replica.clockIsWild()
                ? Duration.between(replica.clock(), network.simulation().now())
                : Duration.ZERO;
    }

    @Override
    public void tidyUp() {}

    private void send(Replica replica, Method method, Object[] args, UniEmitter<? super Object> caller) {
        if (replica.clockIsBehind() && NOT_BY_A_CLOCK_BEHIND.contains(method.getName())) {
            caller.fail(new StoreUnavailableException("The clock is behind."));
            return;
        }
        if (replica.clockIsWild() && method.getName().equals("sweep")) {
            caller.complete(new LockStore.SweepStep(0, Optional.empty(), Optional.empty()));
            return;
        }
        var store = replica.clockIsWild() ? distrusting : trusting;
        var simulation = network.simulation();
        var fate = network.draw();
        switch (fate) {
            case REQUEST_LOST -> {}
            case CARRIED_OUT_LATE -> simulation.after(network.late(), () -> carryOut(store, method, args));
            default ->
                simulation.after(network.travel(fate), () -> {
                    var answer = carryOut(store, method, args);
                    if (fate != Fate.ANSWER_LOST) {
                        simulation.after(network.travel(fate), () -> replica.perform(() -> caller.complete(answer)));
                    }
                });
        }
        if (fate == Fate.REPEATED_LATE) {
            simulation.after(network.late(), () -> carryOut(store, method, args));
        }
        if (Set.of(Fate.REQUEST_LOST, Fate.ANSWER_LOST, Fate.CARRIED_OUT_LATE).contains(fate)) {
            replica.after(
                    StoreNetwork.ATTEMPT_TIMEOUT,
                    () -> caller.fail(new StoreUnavailableException("The store did not answer.")));
        }
    }

    private Object carryOut(LockStore store, Method method, Object[] args) {
        try {
            var outcome = Fixtures.await((Uni<?>) method.invoke(store, args));
            network.simulation().trace("store: %s %s: %s", method.getName(), Arrays.toString(args), outcome);
            return outcome;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("The rules failed to " + method.getName(), e);
        }
    }
}
