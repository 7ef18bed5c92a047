package io.holdfast.lifecycle.history;

import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.StatusChange;
import io.smallrye.mutiny.Uni;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;

/**
 * A store whose commits lose their answers or arrive late, and between whose steps other requests are carried out. Each
 * step is complete before it returns, so a history is made from its seed alone.
 */
final class FaultyLifecycleStore {
    interface Faults {
        /** Called before each read and each commit. May carry out other requests. */
        void beforeStep();

        Fate nextCommit();

        /** A commit that will arrive, or not, after its writer was told that its outcome is unknown. */
        void arrivesLate(StatusChange change, Instant until);
    }

    enum Fate {
        DONE,
        NOT_DONE_AND_UNKNOWN,
        DONE_AND_UNKNOWN,
        LATE_AND_UNKNOWN
    }

    private FaultyLifecycleStore() {}

    static LifecycleStore around(LifecycleStore store, Faults faults) {
        return (LifecycleStore) Proxy.newProxyInstance(
                LifecycleStore.class.getClassLoader(),
                new Class<?>[] {LifecycleStore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "commit" -> commit(store, faults, (StatusChange) arguments[0], (Instant) arguments[1]);
                    case "find" -> step(faults, () -> called(store, method, arguments));
                    default -> called(store, method, arguments);
                });
    }

    private interface Call {
        Object make() throws Throwable;
    }

    private static Object called(LifecycleStore store, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Uni<?> step(Faults faults, Call call) {
        return Uni.createFrom().item(() -> {
            faults.beforeStep();
            try {
                return await((Uni<?>) call.make());
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static Uni<Boolean> commit(LifecycleStore store, Faults faults, StatusChange change, Instant until) {
        return Uni.createFrom().item(() -> {
            faults.beforeStep();
            switch (faults.nextCommit()) {
                case DONE -> {
                    return await(store.commit(change, until));
                }
                case NOT_DONE_AND_UNKNOWN -> {}
                case DONE_AND_UNKNOWN -> await(store.commit(change, until));
                case LATE_AND_UNKNOWN -> faults.arrivesLate(change, until);
            }
            throw new StoreUnavailableException("The answer was lost.");
        });
    }
}
