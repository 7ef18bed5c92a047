package io.holdfast.lifecycle.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boot.PackagedProgram;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The program is killed again and again in a storm of status writes, while a client reads the events. */
class ServiceKillNineIT {
    private static final int KILLS = Integer.getInteger("holdfast.test.service-kills", 10);
    private static final int WRITERS = 6;
    private static final int WRITES_BEFORE_A_KILL = 40;

    private final Map<String, String> environment = Map.of(
            "HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString(),
            // A lock that the killed program held is free soon.
            "HOLDFAST_LIFECYCLE_LOCK_TTL", "1s",
            "HOLDFAST_LIFECYCLE_LOCK_TRIES", "50",
            "HOLDFAST_LIFECYCLE_LOCK_RETRY_PAUSE", "20ms");

    @Test
    void nothingThatWasAnsweredIsLostAndAReaderMissesNoMove() throws Exception {
        List<String> services;
        try (var program = PackagedProgram.start(environment);
                var calls = new ServiceCalls(program.address())) {
            services = IntStream.range(0, 3).mapToObj(i -> calls.service()).toList();
        }
        var storm = new StatusStorm(services);
        var reader = new EventReader();
        for (var kill = 0; kill < KILLS; kill++) {
            try (var program = PackagedProgram.start(environment)) {
                var answered = new CountDownLatch(WRITES_BEFORE_A_KILL);
                var reading = Thread.ofVirtual().start(() -> reader.read(program.address(), Integer.MAX_VALUE));
                var writers = storm.begin(WRITERS, List.of(program.address()), answered);
                answered.await();
                program.kill9();
                program.awaitExit();
                for (var writer : writers) {
                    writer.join();
                }
                reading.join();
            }
            try (var program = PackagedProgram.start(environment);
                    var calls = new ServiceCalls(program.address())) {
                storm.check(calls);
            }
        }
        assertThat(storm.size()).isGreaterThanOrEqualTo(KILLS * WRITES_BEFORE_A_KILL / 2);
        try (var program = PackagedProgram.start(environment);
                var calls = new ServiceCalls(program.address())) {
            var rows =
                    services.stream().mapToInt(id -> calls.history(id).size()).sum();
            var read =
                    services.stream().mapToInt(id -> reader.versions(id).size()).sum();
            reader.read(program.address(), rows - read);
            assertThat(reader.missed()).isZero();
            assertThat(reader.connections()).isGreaterThan(1);
            for (var service : services) {
                assertThat(reader.versions(service))
                        .as("each move once, in the order of its service")
                        .isEqualTo(calls.history(service).stream()
                                .map(row -> row.path("version").asLong())
                                .toList());
            }
        }
    }
}
