package io.holdfast.job.janitor;

import io.holdfast.job.port.JobStore;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A real store of which a test replaces some calls, or lets something happen before them. */
final class HookedJobStore {
    private final JobStore real;
    private final Map<String, Runnable> happenings = new ConcurrentHashMap<>();
    private final Map<String, Function<Object[], Optional<Object>>> replacements = new ConcurrentHashMap<>();

    HookedJobStore(JobStore real) {
        this.real = real;
    }

    JobStore store() {
        return (JobStore)
                Proxy.newProxyInstance(JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, this::call);
    }

    /** Happens before the next call of the method, on a thread that may wait for the store. */
    void beforeNext(String method, Runnable happening) {
        happenings.put(method, happening);
    }

    /** @param replacement empty if the real store is to be called */
    void replace(String method, Function<Object[], Optional<Object>> replacement) {
        replacements.put(method, replacement);
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        var replaced = Optional.ofNullable(replacements.get(method.getName()))
                .flatMap(replacement -> replacement.apply(arguments));
        if (replaced.isPresent()) {
            return replaced.get();
        }
        var happening = happenings.remove(method.getName());
        var answer = invoke(method, arguments);
        return happening == null
                ? answer
                : Uni.createFrom()
                        .voidItem()
                        .emitOn(Infrastructure.getDefaultExecutor())
                        .invoke(happening)
                        .chain(() -> (Uni<?>) answer);
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
