package io.holdfast.cli;

import io.holdfast.boot.PackagedCommand;
import io.holdfast.boot.PackagedProgram;
import io.restassured.RestAssured;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The same of the packaged program, by processes: some at once, since each of them takes its time to start. */
class CliIT {
    private static final int AT_ONCE = 3;

    private static PackagedProgram program;
    private static ExecutorService threads;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void serve() {
        PackagedCommand.commandLine();
        program = PackagedProgram.start(
                Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString()));
        RestAssured.port = program.address().getPort();
        threads = Executors.newFixedThreadPool(AT_ONCE);
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
        RestAssured.reset();
        program.close();
    }

    private static final class Facts implements CommandFacts {
        @Override
        public Shell shell() {
            return new ShellOfProcesses();
        }
    }

    @TestFactory
    List<DynamicTest> facts() {
        return Arrays.stream(CommandFacts.class.getMethods())
                .filter(fact -> fact.isAnnotationPresent(Test.class))
                .map(fact -> {
                    var running = threads.submit(() -> fact.invoke(new Facts(), arguments(fact)));
                    return DynamicTest.dynamicTest(fact.getName(), () -> await(running));
                })
                .toList();
    }

    /** Those that need a file get a folder for it. */
    private static Object[] arguments(Method fact) {
        return fact.getParameterCount() == 0 ? new Object[0] : new Object[] {folder};
    }

    private static void await(Future<?> running) throws Throwable {
        try {
            running.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof InvocationTargetException failed ? failed.getCause() : e.getCause();
        }
    }
}
