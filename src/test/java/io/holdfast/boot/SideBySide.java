package io.holdfast.boot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;

/** Runs facts that spend their time on waiting for processes, some at once, each on an instance of its own. */
public final class SideBySide implements AutoCloseable {
    private static final int AT_ONCE = 3;

    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);

    /** @param arguments what a fact is given, beside its instance */
    public <T> List<DynamicTest> facts(Class<T> facts, Supplier<T> instance, Function<Method, Object[]> arguments) {
        return Stream.of(facts.getMethods(), facts.getDeclaredMethods())
                .flatMap(Arrays::stream)
                .distinct()
                .filter(fact -> fact.isAnnotationPresent(Test.class))
                .map(fact -> {
                    fact.setAccessible(true);
                    var running = threads.submit(() -> fact.invoke(instance.get(), arguments.apply(fact)));
                    return DynamicTest.dynamicTest(fact.getName(), () -> await(running));
                })
                .toList();
    }

    private static void await(Future<?> running) throws Throwable {
        try {
            running.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof InvocationTargetException failed ? failed.getCause() : e.getCause();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
