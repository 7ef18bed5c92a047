package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packaged program on a {@link FailingDisk}. */
class FailingDiskIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int WAITERS = 4;

    private final Path folder = PackagedProgram.newDataFolder();
    private PackagedProgram program;
    private ProgramCalls calls;
    private FailingDisk disk;

    @BeforeEach
    void start() {
        FailingDisk.assumePossible();
        program = PackagedProgram.start(Map.of("HOLDFAST_DATA_DIR", folder.toString()));
        calls = new ProgramCalls(program.address());
        disk = new FailingDisk(program);
    }

    @AfterEach
    void stop() {
        if (program != null) {
            calls.close();
            program.close();
        }
    }

    @Test
    void oneFailedWriteLeavesTheQueueAsItWas() throws Exception {
        var holder = ProgramCalls.newLockId();
        assertThat(calls.acquire("nightly", "holder", holder).status()).isEqualTo(201);
        var served = Collections.synchronizedList(new ArrayList<String>());
        var waiting = new ArrayList<CompletableFuture<Void>>();
        for (var i = 1; i <= WAITERS; i++) {
            waiting.add(waitInTurn("w" + i, served));
            awaitWaiting(i);
        }

        // The log has reached the limit, so the next write to it fails.
        disk.limitFilesTo(Files.size(folder.resolve("holdfast.db-wal")));
        assertThat(calls.acquire("another", "ada", ProgramCalls.newLockId()).status())
                .isEqualTo(503);
        disk.heal();
        awaitReady(200);

        waiting.add(waitInTurn("newcomer", served));
        awaitWaiting(WAITERS + 1);
        assertThat(calls.release("nightly", "holder", holder).status()).isEqualTo(200);
        waiting.forEach(CompletableFuture::join);
        assertThat(served).containsExactly("w1 201", "w2 201", "w3 201", "w4 201", "newcomer 201");
    }

    @Test
    void aDiskThatGoesOnFailingIsRefusedAtOnceReadFromAndNoticedWhenItWorksAgain() throws Exception {
        var holder = ProgramCalls.newLockId();
        assertThat(calls.acquire("nightly", "holder", holder).status()).isEqualTo(201);

        disk.fail();
        for (var i = 0; i < 20; i++) {
            var refused = calls.acquire("lock-" + i, "ada", ProgramCalls.newLockId());
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text("code")).isEqualTo("store-unavailable");
        }
        assertThat(calls.get("/v1/locks/nightly").text("owner")).isEqualTo("holder");
        awaitReady(503);
        assertThat(calls.get("/q/health/group/store").status()).isEqualTo(503);
        assertThat(calls.get("/q/health/live").status()).isEqualTo(200);

        disk.heal();
        awaitReady(200);
        assertThat(calls.acquire("lock-0", "ada", ProgramCalls.newLockId()).status())
                .isEqualTo(201);
        assertThat(calls.renew("nightly", "holder", holder).status()).isEqualTo(200);
    }

    private CompletableFuture<Void> waitInTurn(String owner, List<String> served) {
        return CompletableFuture.runAsync(
                () -> {
                    var lockId = ProgramCalls.newLockId();
                    var answer = calls.waitFor("nightly", owner, lockId);
                    served.add(owner + " " + answer.status());
                    calls.release("nightly", owner, lockId);
                },
                task -> Thread.ofVirtual().start(task));
    }

    private void awaitWaiting(int count) {
        await().atMost(PATIENCE)
                .until(() ->
                        calls.get("/v1/locks/nightly").body().path("waiting").asInt() == count);
    }

    private void awaitReady(int status) {
        await().atMost(PATIENCE).until(() -> calls.get("/q/health/ready").status() == status);
    }
}
