package io.holdfast.lifecycle.history;

import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.lifecycle.port.LifecycleStore;
import io.smallrye.mutiny.Uni;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The store as one writer reaches it: each of its reads and commits is carried out when the test says so. */
final class GatedLifecycleStore {
    private static final Set<String> GATED = Set.of("find", "commit");

    private final LifecycleStore store;
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    GatedLifecycleStore(LifecycleStore store) {
        this.store = store;
    }

    LifecycleStore gated() {
        return (LifecycleStore) Proxy.newProxyInstance(
                LifecycleStore.class.getClassLoader(),
                new Class<?>[] {LifecycleStore.class},
                (proxy, method, arguments) -> GATED.contains(method.getName())
                        ? Uni.createFrom().completionStage(() -> wait(method, arguments))
                        : method.invoke(store, arguments));
    }

    private CompletableFuture<Object> wait(Method method, Object[] arguments) {
        var done = new CompletableFuture<Object>();
        waiting.add(() -> done.complete(called(method, arguments)));
        return done;
    }

    private Object called(Method method, Object[] arguments) {
        try {
            return await((Uni<?>) method.invoke(store, arguments));
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    void carryOutNext() {
        waiting.remove().run();
    }
}
