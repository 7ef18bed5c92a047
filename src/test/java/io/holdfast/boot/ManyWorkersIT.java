package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Hundreds of workers wait for jobs at one program. */
class ManyWorkersIT {
    private static final int WORKERS = 500;
    /** Threads that the JVM or the timers of the service may add meanwhile, for whatever number of workers. */
    private static final int OTHER_THREADS_MAX = 10;

    private static final String THREADS = "jvm_threads_live_threads";
    private static final String WAITING = "jobs_waiting_workers";

    @Test
    void fiveHundredIdleWorkersHoldNoThread() throws IOException {
        var environment = Map.of(
                "HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString(), "HOLDFAST_JOBS_WAIT_MAX", "10m");
        var workers = new ArrayList<Socket>();
        try (var program = PackagedProgram.start(environment);
                var calls = new ProgramCalls(program.address());
                var metrics = new ProgramMetrics(program.address())) {
            serveManyAtOnce(calls);
            var threads = metrics.value(THREADS);

            for (var i = 0; i < WORKERS; i++) {
                workers.add(waits(program.address(), "worker-" + i));
            }
            await().until(() -> metrics.value(WAITING) == WORKERS);

            assertThat(metrics.value(THREADS)).isLessThan(threads + OTHER_THREADS_MAX);
            assertThatOneGets(submitted(calls), calls);
            assertThat(metrics.value(WAITING)).isEqualTo(WORKERS - 1);
        } finally {
            for (var worker : workers) {
                worker.close();
            }
        }
    }

    /** Afterwards all threads exist that serving needs. */
    private static void serveManyAtOnce(ProgramCalls calls) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < WORKERS; i++) {
                var worker = "early-" + i;
                threads.submit(() -> calls.post("/v1/jobs/claim", Map.of("worker", worker)));
            }
        }
    }

    /** On a connection of its own. */
    private static Socket waits(URI address, String worker) throws IOException {
        var body = "{\"worker\":\"%s\",\"wait\":\"10m\"}".formatted(worker);
        var request =
                "POST /v1/jobs/claim HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(body.length(), body);
        var socket = new Socket(address.getHost(), address.getPort());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String submitted(ProgramCalls calls) {
        var cluster = Map.of("id", "c-1", "name", "blue", "platform", "aws", "base_domain", "example.com");
        assertThat(calls.post("/v1/clusters", cluster).status()).isEqualTo(201);
        return calls.post("/v1/clusters/c-1/jobs", Map.of("type", "CREATE")).text("id");
    }

    private static void assertThatOneGets(String job, ProgramCalls calls) {
        await().until(() -> calls.get("/v1/jobs/" + job).text("status").equals("RUNNING"));
        assertThat(calls.get("/v1/jobs/" + job).text("worker")).startsWith("worker-");
    }
}
