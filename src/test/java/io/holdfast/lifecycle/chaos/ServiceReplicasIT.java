package io.holdfast.lifecycle.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.boot.PackagedProgram;
import io.holdfast.boot.ProgramCalls.Answer;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two programs on one table, one of which is killed while it writes. */
class ServiceReplicasIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String TRANSACTION = "TransactWriteItems";
    private static final Map<String, String> SETTINGS = Map.of(
            "HOLDFAST_LIFECYCLE_LOCK_TTL", "3s",
            "HOLDFAST_LIFECYCLE_LOCK_TRIES", "2",
            "HOLDFAST_LIFECYCLE_RECONCILE_EVERY", "1s",
            "HOLDFAST_LIFECYCLE_RECONCILE_FIRST_AFTER", "0s",
            "HOLDFAST_LIFECYCLE_RECONCILER_TTL", "5s",
            "HOLDFAST_LIFECYCLE_EVENTS_POLL_EVERY", "100ms");

    private final FaultProxy proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
    private final String table = "service-replicas-" + UUID.randomUUID();
    private PackagedProgram one;
    private PackagedProgram other;
    private ServiceCalls here;
    private ServiceCalls there;

    /** The first one starts first, so it is the one that reconciles. */
    @BeforeEach
    void start() {
        one = PackagedProgram.start(with(ServiceCalls.dynamoDb(table, proxy.endpoint())));
        other = PackagedProgram.start(with(ServiceCalls.dynamoDb(table)));
        here = new ServiceCalls(one.address());
        there = new ServiceCalls(other.address());
    }

    private static Map<String, String> with(Map<String, String> store) {
        var environment = new HashMap<>(store);
        environment.putAll(SETTINGS);
        return environment;
    }

    @AfterEach
    void end() {
        here.close();
        there.close();
        one.close();
        other.close();
        proxy.close();
    }

    @Test
    void aWriterGetsInAfterTheTtlOfAReplicaThatWasKilledInItsWrite() throws Exception {
        var service = here.service();

        var writing = killedInItsWrite(service, Fault.HANG);

        var deployed = deployedWhenTheLockIsFree(service, Map.of());
        assertThat(there.report(service, deployed, "RUNNING").status()).isEqualTo(200);
        assertThat(there.history(service))
                .extracting(row -> row.path("to").asText())
                .containsExactly("IDLE", "DEPLOYING", "RUNNING");
        writing.join();
    }

    /** Its client repeats the request at the other replica, with the same id. */
    @Test
    void aWriteWhoseReplicaWasKilledBeforeItsAnswerIsTheSameWhenItIsRepeated() throws Exception {
        var service = here.service();
        var id = UUID.randomUUID().toString();

        var writing = killedInItsWrite(service, Fault.HANG_AFTER_COMMIT, id);

        var deployed = deployedWhenTheLockIsFree(service, Map.of("deployment_id", id));
        assertThat(there.history(service))
                .extracting(row -> row.path("to").asText())
                .containsExactly("IDLE", "DEPLOYING");
        assertThat(there.report(service, deployed, "RUNNING").status()).isEqualTo(200);
        writing.join();
    }

    private Thread killedInItsWrite(String service, Fault fault) throws InterruptedException {
        return killedInItsWrite(service, fault, UUID.randomUUID().toString());
    }

    /** While it lives, it keeps the lock, however long the write takes. */
    private Thread killedInItsWrite(String service, Fault fault, String deployment) throws InterruptedException {
        proxy.resetCounts();
        proxy.next(TRANSACTION, fault);
        var writing = Thread.ofVirtual().start(() -> {
            try {
                here.deploy(service, Map.of("deployment_id", deployment));
            } catch (RuntimeException killed) {
                // Before it could answer.
            }
        });
        await().atMost(PATIENCE).until(() -> proxy.count(TRANSACTION) > 0);
        var refused = there.deploy(service, Map.of());
        assertThat(refused.status()).as("%s", refused.body()).isEqualTo(409);
        assertThat(refused.text("code")).isEqualTo("lock-conflict");
        one.kill9();
        one.awaitExit();
        return writing;
    }

    private Answer deployedWhenTheLockIsFree(String service, Map<String, Object> body) {
        return await().atMost(PATIENCE).until(() -> there.deploy(service, body), answer -> {
            if (answer.status() != 200) {
                assertThat(answer.text("code")).isEqualTo("lock-conflict");
            }
            return answer.status() == 200;
        });
    }

    /** Neither its worker nor the replica that reconciled is there any more. */
    @Test
    void aDeploymentPastItsDeadlineIsRepairedByTheOtherReplica() throws Exception {
        var up = site(200);
        var down = site(503);
        try {
            var running = here.serviceAt(address(up));
            var failed = here.serviceAt(address(down));
            // The deadline is longer than the time until the program is killed.
            for (var service : List.of(running, failed)) {
                assertThat(here.deploy(service, Map.of("deadline", "8s")).status())
                        .isEqualTo(200);
            }

            one.kill9();
            one.awaitExit();

            await().atMost(PATIENCE).until(() -> there.status(running).equals("RUNNING"));
            await().atMost(PATIENCE).until(() -> there.status(failed).equals("FAILED"));
            var row = there.history(running).getLast();
            assertThat(row.path("by").asText()).isEqualTo("reconciler");
            assertThat(row.path("from").asText()).isEqualTo("DEPLOYING");
            assertThat(row.at("/observed/state").asText()).isEqualTo("RUNNING");
        } finally {
            up.stop(0);
            down.stop(0);
        }
    }

    private static HttpServer site(int status) throws IOException {
        var site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", exchange -> {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        site.start();
        return site;
    }

    private static URI address(HttpServer site) {
        return URI.create("http://127.0.0.1:" + site.getAddress().getPort() + "/");
    }

    /** Writers go on at both, and the reader is connected now to the one, now to the other. */
    @Test
    void aReaderThatConnectsAgainAtTheOtherReplicaMissesNoMove() throws Exception {
        var services = IntStream.range(0, 4).mapToObj(i -> here.service()).toList();
        var storm = new StatusStorm(services);
        var reader = new EventReader();
        var answered = new CountDownLatch(120);
        var addresses = List.of(one.address(), other.address());
        var writers = storm.begin(8, addresses, answered);
        for (var i = 0; answered.getCount() > 0; i++) {
            assertThat(reader.read(addresses.get(i % 2), 10)).isTrue();
        }
        storm.end(writers);
        storm.check(there);
        var rows = services.stream().mapToInt(id -> there.history(id).size()).sum();
        var read = services.stream().mapToInt(id -> reader.versions(id).size()).sum();
        assertThat(reader.read(other.address(), rows - read)).isTrue();

        assertThat(reader.missed()).isZero();
        assertThat(reader.connections()).isGreaterThan(4);
        for (var service : services) {
            assertThat(reader.versions(service))
                    .as("each move once, in the order of its service")
                    .isEqualTo(there.history(service).stream()
                            .map(row -> row.path("version").asLong())
                            .toList());
        }
    }
}
