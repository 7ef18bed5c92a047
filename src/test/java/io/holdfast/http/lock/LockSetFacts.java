package io.holdfast.http.lock;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.renew;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import io.holdfast.http.Json;
import io.holdfast.http.RawHttp;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several locks at once, over HTTP. */
interface LockSetFacts {
    @Test
    default void severalLocksAreTakenAndGivenBackTogether() {
        var a = unique("a");
        var b = unique("b");

        var set = acquireAll(List.of(b, a), "ada", Map.of("ttl", "30s"));

        assertThat(set.statusCode()).isEqualTo(201);
        assertThat(set.<List<String>>path("locks.name")).containsExactly(a, b);
        assertThat(set.<List<String>>path("locks.owner")).containsOnly("ada");
        String lockId = set.path("lock_id");
        assertThat(set.<List<String>>path("locks.lock_id")).containsOnly(lockId);
        assertThat(set.<Integer>path("remaining_ms")).isBetween(1, 30_000);
        assertProblem(acquire(a, "bob"), 409, "lock-conflict");
        assertThat(renew(b, Map.of("lock_id", lockId, "owner", "ada")).statusCode())
                .isEqualTo(200);

        var released = releaseAll(List.of(b, a), lockId, "ada");

        assertThat(released.<Boolean>path("released")).isTrue();
        assertThat(released.<List<String>>path("locks.name")).containsExactly(a, b);
        assertThat(get(a).<String>path("status")).isEqualTo("released");
        assertThat(get(b).<String>path("status")).isEqualTo("released");
        assertThat(releaseAll(List.of(b, a), lockId, "ada").<Boolean>path("released"))
                .isFalse();
    }

    @Test
    default void ifOneIsHeldByAnotherNoneIsTakenAndTheOneInTheWayIsNamed() {
        var a = unique("a");
        var held = acquired(unique("b"), "bob");

        var answer = acquireAll(List.of(a, held.path("name")), "ada", Map.of());

        assertProblem(answer, 409, "lock-conflict");
        assertThat(answer.<String>path("lock.name")).isEqualTo(held.path("name"));
        assertThat(answer.<String>path("detail")).contains("held by bob until");
        assertThat(get(a).<String>path("status")).isEqualTo("released");
    }

    @Test
    default void whoWaitsGetsThemAllWhenTheLastIsGivenBack() throws IOException {
        var a = unique("a");
        var held = acquired(unique("b"), "bob");
        String b = held.path("name");
        try (var ada = waits(a, b)) {
            await().until(() -> get(b).<Integer>path("waiting") == 1);
            assertThat(get(a).<String>path("owner")).isEqualTo("ada");

            release(held);

            var answer = ada.answer();
            assertThat(answer.status()).isEqualTo(201);
            assertThat(Json.from(answer.body()).<String>getList("locks.name")).containsExactly(a, b);
        }
    }

    @Test
    default void aClientThatHangsUpWhileItWaitsHasNone() throws IOException {
        var a = unique("a");
        var held = acquired(unique("b"), "bob");
        String b = held.path("name");
        try (var ada = waits(a, b)) {
            await().until(() -> get(b).<Integer>path("waiting") == 1);

            ada.hangUp();

            await().until(() -> get(a).<String>path("status").equals("released"));
            await().until(() -> get(b).<Integer>path("waiting") == 0);
        }
    }

    @Test
    default void whoAsksForThemAgainWithTheSameLockIdGetsTheSameLeases() {
        var names = List.of(unique("a"), unique("b"));
        var lockId = UUID.randomUUID().toString();
        var first = acquireAll(names, "ada", Map.of("lock_id", lockId));

        var again = acquireAll(names, "ada", Map.of("lock_id", lockId));

        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.<List<Long>>path("locks.fencing_token")).isEqualTo(first.path("locks.fencing_token"));
    }

    @Test
    default void aSetHasOneToSixteenNamesAndNoneTwice() {
        var many = IntStream.range(0, 16).mapToObj(i -> unique("n" + i)).toList();

        assertInvalid(acquireAll(List.of(), "ada", Map.of()), "names");
        assertInvalid(acquireAll(List.of("a b"), "ada", Map.of()), "names");
        assertInvalid(acquireAll(List.of(many.get(0), many.get(0)), "ada", Map.of()), "names");
        assertInvalid(
                acquireAll(
                        Stream.concat(many.stream(), Stream.of(unique("more"))).toList(), "ada", Map.of()),
                "names");
        assertInvalid(post(Map.of("owner", "ada")), "names");
        assertInvalid(releaseAll(List.of(""), UUID.randomUUID().toString(), "ada"), "names");
        assertThat(get(many.get(0)).statusCode()).isEqualTo(404);
        assertThat(acquireAll(many, "ada", Map.of()).statusCode()).isEqualTo(201);
    }

    /** On a connection of its own, which does not wait for the answer. */
    private static RawHttp.Exchange waits(String one, String other) throws IOException {
        var body = "{\"names\":[\"%s\",\"%s\"],\"owner\":\"ada\",\"wait\":\"1m\"}".formatted(one, other);
        var request =
                "POST /v1/locks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(body.length(), body);
        return RawHttp.begin(RestAssured.port, request.getBytes(StandardCharsets.US_ASCII));
    }

    private static Answer acquireAll(List<String> names, String owner, Map<String, ?> more) {
        var body = new HashMap<String, Object>(more);
        body.put("names", names);
        body.put("owner", owner);
        return post(body);
    }

    private static Answer post(Map<String, ?> body) {
        return Calls.post("/v1/locks", body);
    }

    private static Answer releaseAll(List<String> names, String lockId, String owner) {
        return Calls.delete("/v1/locks?"
                + Calls.query(Map.of("names", String.join(",", names), "lock_id", lockId, "owner", owner)));
    }
}
