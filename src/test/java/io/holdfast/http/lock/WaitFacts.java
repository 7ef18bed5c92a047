package io.holdfast.http.lock;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.forceRelease;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.path;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Calls;
import io.holdfast.http.Json;
import io.holdfast.http.RawHttp;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Standing in line over HTTP. */
interface WaitFacts {
    /** How many may wait for one lock at the program under test. */
    default int queueMax() {
        return 64;
    }

    @Test
    default void whoWaitsGetsTheLockWhenItIsGivenBack() throws IOException {
        var held = acquired(unique("wait"), "ada");
        try (var bob = waits(held.path("name"), "bob")) {
            awaitWaiting(held.path("name"), 1);

            release(held);

            var answer = bob.answer();
            assertThat(answer.status()).isEqualTo(201);
            var lock = Json.from(answer.body());
            assertThat(lock.getString("owner")).isEqualTo("bob");
            assertThat(lock.getLong("fencing_token")).isEqualTo(token(held) + 1);
            assertThat(lock.getInt("waiting")).isZero();
        }
    }

    @Test
    default void whoWaitsGetsTheLockWhenItIsTakenAway() throws IOException {
        var held = acquired(unique("wait"), "ada");
        try (var bob = waits(held.path("name"), "bob")) {
            awaitWaiting(held.path("name"), 1);

            forceRelease(held.path("name"), token(held), "stuck");

            assertThat(bob.answer().status()).isEqualTo(201);
        }
    }

    @Test
    default void thoseWhoWaitAreSeenInTheirOrder() throws IOException {
        var held = acquired(unique("line"), "ada");
        String name = held.path("name");
        try (var bob = waits(name, "bob")) {
            awaitWaiting(name, 1);
            try (var cy = waits(name, "cy")) {
                awaitWaiting(name, 2);

                var waiters = get(name).json();
                assertThat(waiters.<String>getList("waiters.owner")).containsExactly("bob", "cy");
                assertThat(waiters.<Integer>getList("waiters.position")).containsExactly(1, 2);
                assertThat(waiters.<Map<String, Object>>getList("waiters").getFirst())
                        .containsOnlyKeys("position", "owner", "waiting_since", "waited_ms", "gives_up_at");
                var refused = acquire(name, "dora");
                assertProblem(refused, 409, "lock-conflict");
                assertThat(refused.<Integer>path("waiting")).isEqualTo(2);

                release(held);
                var bobs = Json.from(bob.answer().body());
                assertThat(bobs.getInt("waiting")).isOne();
                release(name, bobs.getString("lock_id"), "bob");
                assertThat(Json.from(cy.answer().body()).getString("owner")).isEqualTo("cy");
            }
        }
    }

    @Test
    default void whoWaitsInVainLearnsWhoHasIt() {
        var held = acquired(unique("vain"), "ada");

        var answer = acquire(held.path("name"), Map.of("owner", "bob", "wait", "50ms"));

        assertProblem(answer, 409, "lock-conflict");
        assertThat(answer.<String>path("detail")).contains("held by ada until");
        assertThat(answer.<String>path("lock.lock_id")).isEqualTo(held.path("lock_id"));
        assertThat(answer.header("Retry-After")).isNotBlank();
    }

    @Test
    default void whoNeedNotWaitIsAnsweredAtOnce() {
        var name = unique("free");

        assertThat(acquire(name, Map.of("owner", "ada", "wait", "5m")).statusCode())
                .isEqualTo(201);
        assertThat(acquire(name, Map.of("owner", "ada", "wait", "5m")).statusCode())
                .isEqualTo(200);
        assertProblem(acquire(name, Map.of("owner", "bob", "wait", "0s")), 409, "lock-conflict");
    }

    @Test
    default void nobodyWaitsForLongerThanFiveMinutesOrForLessThanNothing() {
        var name = unique("patience");

        assertInvalid(acquire(name, Map.of("owner", "ada", "wait", "300001ms")), "wait");
        assertInvalid(acquire(name, Map.of("owner", "ada", "wait", "PT-1S")), "wait");
        assertInvalid(acquire(name, Map.of("owner", "ada", "wait", "long")), "wait");
        assertThat(get(name).statusCode()).isEqualTo(404);
    }

    @Test
    default void aClientThatHangsUpLeavesTheLine() throws IOException {
        var held = acquired(unique("hang-up"), "ada");
        String name = held.path("name");
        try (var bob = waits(name, "bob")) {
            awaitWaiting(name, 1);
            try (var cy = waits(name, "cy")) {
                awaitWaiting(name, 2);

                bob.hangUp();

                awaitWaiting(name, 1);
                assertThat(get(name).<List<String>>path("waiters.owner")).containsExactly("cy");
                release(held);
                assertThat(cy.answer().status()).isEqualTo(201);
            }
        }
    }

    @Test
    default void whoAsksAgainWithTheSameLockIdKeepsThePlace() throws IOException {
        var held = acquired(unique("again"), "ada");
        String name = held.path("name");
        var lockId = UUID.randomUUID().toString();
        try (var bob = waits(name, "bob", lockId)) {
            awaitWaiting(name, 1);
            try (var cy = waits(name, "cy")) {
                awaitWaiting(name, 2);
                var since = get(name).<List<String>>path("waiters.gives_up_at").getFirst();
                try (var again = waits(name, "bob", lockId)) {
                    await().until(() -> !get(name)
                            .<List<String>>path("waiters.gives_up_at")
                            .getFirst()
                            .equals(since));
                    release(held);

                    var answer = Json.from(bob.answer().body());
                    var repeated = Json.from(again.answer().body());
                    assertThat(answer.getString("lock_id")).isEqualTo(lockId);
                    assertThat(repeated.getLong("fencing_token")).isEqualTo(answer.getLong("fencing_token"));
                    release(name, lockId, "bob");
                    assertThat(cy.answer().status()).isEqualTo(201);
                }
            }
        }
    }

    @Test
    default void aLineTakesAsManyAsItMayAndNoMore() throws IOException {
        var held = acquired(unique("full"), "ada");
        String name = held.path("name");
        var line = new ArrayList<RawHttp.Exchange>();
        try {
            for (var i = 0; i < queueMax(); i++) {
                line.add(waits(name, "w" + i));
            }
            awaitWaiting(name, queueMax());

            var answer = acquire(name, Map.of("owner", "one-more", "wait", "5m"));

            assertProblem(answer, 429, "queue-full");
            assertThat(answer.<Integer>path("waiting")).isEqualTo(queueMax());
            assertThat(answer.<String>path("detail")).contains("holdfast.wait.queue-max");
            assertThat(answer.header("Retry-After")).isNotBlank();
            assertProblem(Calls.get(path(name) + "/hold?owner=one-more&wait=5m"), 429, "queue-full");
            var set = Map.of("names", List.of(name), "owner", "one-more", "wait", "5m");
            assertProblem(Calls.post("/v1/locks", set), 429, "queue-full");
            assertThat(get(name).<Integer>path("waiting")).isEqualTo(queueMax());
        } finally {
            for (var one : line) {
                one.close();
            }
        }
        awaitWaiting(name, 0);
    }

    @Test
    default void waitingIsMeasured() throws IOException {
        var held = acquired(unique("measured"), "ada");
        try (var bob = waits(held.path("name"), "bob")) {
            awaitWaiting(held.path("name"), 1);
            release(held);
            bob.answer();
        }

        var metrics = Calls.get("/q/metrics").asString();
        assertThat(metrics)
                .contains(
                        "lock_waiting ",
                        "lock_wait_duration_seconds_count{end=\"granted\"}",
                        "lock_wait_duration_seconds_count{end=\"gave_up\"}",
                        "lock_waits_abandoned_total ",
                        "lock_handover_duration_seconds_count ");
    }

    /** So many wait for it; from here on the one who came last is in line. */
    private static void awaitWaiting(String name, int count) {
        await().until(() -> get(name).<Integer>path("waiting") == count);
    }

    private static RawHttp.Exchange waits(String name, String owner) throws IOException {
        return waits(name, owner, UUID.randomUUID().toString());
    }

    private static RawHttp.Exchange waits(String name, String owner, String lockId) throws IOException {
        var body = "{\"owner\":\"%s\",\"lock_id\":\"%s\",\"wait\":\"5m\"}".formatted(owner, lockId);
        var request =
                "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(path(name), body.length(), body);
        return RawHttp.begin(RestAssured.port, request.getBytes(StandardCharsets.US_ASCII));
    }
}
