package io.holdfast.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.http.Calls;
import io.holdfast.http.Json;
import io.holdfast.http.RawHttp;
import io.holdfast.http.lock.LockCalls;
import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input is refused with a problem, never with a 5xx, and changes nothing. */
@OnQuarkus
@QuarkusTest
class HostileRequestsTest {
    private static final String HELD = LockCalls.unique("hostile-held");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> CHANGED_BY_THE_CLOCK = List.of("status", "remaining_ms");

    static Stream<HostileRequest> hostileRequests() {
        return Stream.concat(HostileBodies.all(), HostileLines.all());
    }

    @ParameterizedTest(name = "[{index}] {0}")
    @MethodSource("hostileRequests")
    void isRefusedAndChangesNothing(HostileRequest hostile) throws IOException {
        var held = LockCalls.acquire(HELD, "ada");
        var bytes = hostile.bytes(LockCalls.unique("hostile-free"), HELD, held.path("lock_id"), LockCalls.token(held));
        var before = everything();

        var answer = RawHttp.send(RestAssured.port, bytes);

        assertThat(answer.status()).as(answer.body()).isEqualTo(hostile.status());
        if (!hostile.bare()) {
            assertProblem(answer);
        }
        // Records only ever vanish by the sweeper's hand, so what is new or different was done by the request.
        assertThat(before).containsAll(everything());
    }

    @Test
    void theTableIsLong() {
        assertThat(hostileRequests().map(HostileRequest::what))
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(80);
    }

    private static void assertProblem(RawHttp.Answer answer) {
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        var problem = Json.from(answer.body()).<String, Object>getMap("$");
        assertThat(problem)
                .containsEntry("status", answer.status())
                .containsEntry("type", "urn:holdfast:problem:" + problem.get("code"));
        for (var field : List.of("code", "title", "detail")) {
            assertThat(problem.get(field)).as(field).asString().isNotBlank();
        }
        if (answer.status() == 400) {
            assertThat(problem).containsKeys("field", "allowed");
        }
    }

    /** Every lock but those that the service acquires for itself at any time, without what the clock changes. */
    private static Set<JsonNode> everything() throws IOException {
        var locks = new HashSet<JsonNode>();
        String cursor = null;
        do {
            var query = cursor == null ? "status=all&limit=1000" : "status=all&limit=1000&cursor=" + cursor;
            var page = JSON.readTree(Calls.get("/v1/locks?" + query).asString());
            page.required("locks").forEach(lock -> locks.add(((ObjectNode) lock).without(CHANGED_BY_THE_CLOCK)));
            cursor = page.required("next_cursor").textValue();
        } while (cursor != null);
        locks.removeIf(HostileRequestsTest::isOfTheService);
        return locks;
    }

    /** The sweeper's lock, or that of a database which the reconciler looks at after another test has left it. */
    private static boolean isOfTheService(JsonNode lock) {
        return lock.get("name").textValue().startsWith("system/")
                || lock.get("owner").textValue().startsWith("power-");
    }
}
