package io.holdfast.lifecycle.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boot.ProgramCalls.Answer;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Clients that write the same few services, and what they were told. */
final class StatusStorm {
    /** By service and version: the status and the reason that a client was told. */
    private final Map<String, Map<Long, String>> told = new ConcurrentHashMap<>();

    private final List<String> services;
    private volatile boolean isOver;

    StatusStorm(List<String> services) {
        this.services = services;
    }

    /** Writers, until a connection breaks or the storm is over. The latch counts the writes that were answered. */
    List<Thread> begin(int writers, List<URI> addresses, CountDownLatch answered) {
        var threads = new ArrayList<Thread>();
        for (var i = 0; i < writers; i++) {
            var address = addresses.get(i % addresses.size());
            var service = services.get(i % services.size());
            threads.add(Thread.ofVirtual().start(() -> write(address, service, answered)));
        }
        return threads;
    }

    private void write(URI address, String service, CountDownLatch answered) {
        try (var calls = new ServiceCalls(address)) {
            while (!isOver) {
                var reason = UUID.randomUUID().toString();
                var deployed = calls.deploy(service, Map.of("reason", reason));
                tell(service, deployed.body().path("service"), reason, deployed, answered);
                if (deployed.status() == 200) {
                    var ended = calls.report(service, deployed, "RUNNING");
                    tell(service, ended.body(), "", ended, answered);
                }
                var stop = UUID.randomUUID().toString();
                var stopped = calls.set(service, "STOPPED", stop);
                tell(service, stopped.body(), stop, stopped, answered);
            }
        } catch (RuntimeException killed) {
            // The program was killed before it could answer.
        } finally {
            while (answered.getCount() > 0) {
                answered.countDown();
            }
        }
    }

    private void tell(String service, JsonNode now, String reason, Answer answer, CountDownLatch answered) {
        if (answer.status() == 200) {
            told.computeIfAbsent(service, none -> new ConcurrentHashMap<>())
                    .put(now.path("version").asLong(), now.path("status").asText() + " " + reason);
            answered.countDown();
        }
    }

    /** Each writer finishes its round, so no write is under way when they have ended. */
    void end(List<Thread> writers) throws InterruptedException {
        isOver = true;
        for (var writer : writers) {
            writer.join();
        }
    }

    int size() {
        return told.values().stream().mapToInt(Map::size).sum();
    }

    /** Each answer is a row, rows have no gap, each follows the one before, and the status is that of the last one. */
    void check(ServiceCalls calls) {
        for (var service : services) {
            var rows = calls.history(service);
            var byVersion = new HashMap<Long, String>();
            JsonNode before = null;
            for (var row : rows) {
                if (before != null) {
                    assertThat(row.path("version").asLong())
                            .isEqualTo(before.path("version").asLong() + 1);
                    assertThat(row.path("from").asText())
                            .isEqualTo(before.path("to").asText());
                }
                byVersion.put(
                        row.path("version").asLong(),
                        row.path("to").asText() + " " + row.path("reason").asText(""));
                before = row;
            }
            assertThat(byVersion).containsAllEntriesOf(told.getOrDefault(service, Map.of()));
            var now = calls.get(service).body();
            assertThat(now.path("status").asText()).isEqualTo(before.path("to").asText());
            assertThat(now.path("version").asLong())
                    .isEqualTo(before.path("version").asLong());
        }
    }
}
