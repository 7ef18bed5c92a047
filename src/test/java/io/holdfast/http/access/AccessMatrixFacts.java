package io.holdfast.http.access;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.access.AccessFixture.jwt;
import static io.holdfast.http.access.AccessFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.access.model.Action;
import io.holdfast.contract.OpenApi;
import io.holdfast.contract.OpenApi.Operation;
import io.holdfast.contract.SampleRequest;
import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every operation of the contract, for every kind of subject. A new operation is a new row. */
public interface AccessMatrixFacts {
    /** An answer to these has no end. {@code AccessStreamFacts} has the rows of subjects that are allowed. */
    Set<String> STREAMS = Set.of("holdLock", "streamServices");

    @Test
    default void withoutAnAcceptedTokenEveryOperationThatIsNotOpenIsRefused() {
        var before = everything();
        for (var operation : OpenApi.contract().operations()) {
            for (var header : refusedHeaders()) {
                var answer = send(operation, header);

                if (isOpen(operation)) {
                    assertThat(answer.statusCode()).as(operation.toString()).isEqualTo(200);
                } else {
                    assertProblem(answer, 401, "unauthenticated");
                    assertThat(answer.response().headers().allValues("WWW-Authenticate"))
                            .containsExactly(
                                    "Bearer realm=\"holdfast\"", "Basic realm=\"holdfast\", charset=\"UTF-8\"");
                }
            }
        }
        assertThat(everything()).isEqualTo(before);
    }

    /** None, unknown, and of the issuer: expired, for another audience, by another issuer with the same key. */
    private static List<String[]> refusedHeaders() {
        var later = Instant.now().plusSeconds(3600);
        return List.of(
                new String[] {},
                new String[] {"Authorization", "Bearer wrong"},
                new String[] {"Authorization", jwt("job", Instant.now().minusSeconds(60))},
                new String[] {"Authorization", jwt(AccessFixture.ISSUER, "job", "another", later)},
                new String[] {"Authorization", jwt("https://another.example", "job", "holdfast", later)});
    }

    @Test
    default void theTokenOfAnIssuerThatCannotBeReachedIsNeitherAcceptedNorRefused() {
        var header = jwt(AccessFixture.AWAY, "job", "holdfast", Instant.now().plusSeconds(3600));
        for (var operation : OpenApi.contract().operations()) {
            if (!isOpen(operation)) {
                var answer = send(operation, "Authorization", header);

                assertProblem(answer, 503, "issuer-unavailable");
                assertThat(answer.header("Retry-After")).isEqualTo("1");
            }
        }
    }

    @Test
    default void aSubjectWithoutTheGrantIsRefusedAndNothingIsChanged() {
        var before = everything();
        for (var operation : OpenApi.contract().operations()) {
            for (var subject : withoutTheGrant(operation)) {
                var answer = send(operation, "Authorization", token(subject));

                assertProblem(answer, 403, "forbidden");
                assertThat(answer.<String>path("subject")).isEqualTo("token:" + subject);
                assertThat(answer.<String>path("action")).isIn(needed(operation));
                assertThat(answer.<String>path("missing")).startsWith("a grant ");
                assertThat(answer.<String>path("detail")).contains(answer.<String>path("missing"));
            }
        }
        assertThat(everything()).isEqualTo(before);
    }

    /** No grant, the grant to read alone, and every other grant alone. */
    private static List<String> withoutTheGrant(Operation operation) {
        var needed = needed(operation);
        if (needed.isEmpty()) {
            return List.of();
        }
        return Stream.concat(
                        Stream.of("nobody"),
                        Stream.of(Action.values())
                                .filter(action -> !needed.contains(action.word()))
                                .map(action -> "only-" + action.word()))
                .toList();
    }

    @Test
    default void aSubjectWithTheGrantIsAllowedAndSoIsAnAdministrator() {
        for (var operation : OpenApi.contract().operations()) {
            if (STREAMS.contains(id(operation))) {
                continue;
            }
            var allowed = new TreeSet<>(List.of("admin"));
            // Of several actions, the first is that of a request with the required parameters only.
            needed(operation).stream()
                    .filter(word -> !word.equals("admin"))
                    .findFirst()
                    .ifPresent(word -> allowed.add("only-" + word));
            if (rule(operation).asText().equals("authenticated")) {
                allowed.add("nobody");
            }
            for (var subject : allowed) {
                assertThat(send(operation, "Authorization", token(subject)).statusCode())
                        .as(operation + " as " + subject)
                        .isNotIn(401, 403)
                        .isLessThan(500);
            }
        }
    }

    @Test
    default void everyOperationDeclaresWhatItNeeds() {
        assertThat(OpenApi.contract().operations()).hasSizeGreaterThan(45).allSatisfy(operation -> assertThat(
                        rule(operation).isMissingNode())
                .isFalse());
        assertThat(OpenApi.contract().operations().stream()
                        .filter(AccessMatrixFacts::isOpen)
                        .map(Operation::toString))
                .containsExactlyInAnyOrder("GET /q/openapi", "GET /");
        assertThat(OpenApi.contract().operations().stream()
                        .map(AccessMatrixFacts::id)
                        .toList())
                .containsAll(STREAMS);
    }

    @Test
    default void aPathThatDoesNotExistIsRefusedLikeAnyOther() {
        for (var request : List.of("GET /v1/nothing", "PUT /v1/locks", "GET /v2/locks")) {
            var parts = request.split(" ");

            assertProblem(Calls.call(parts[0], parts[1], null), 401, "unauthenticated");
            assertThat(Calls.call(parts[0], parts[1], null, "Authorization", token("nobody"))
                            .statusCode())
                    .as(request)
                    .isIn(404, 405);
        }
        assertProblem(Calls.call("OPTIONS", "/v1/locks/a", null), 401, "unauthenticated");
    }

    @Test
    default void healthAndMetricsNeedNoToken() {
        assertThat(Calls.get("/q/health/ready").statusCode()).isEqualTo(200);
        assertThat(Calls.get("/q/metrics").statusCode()).isEqualTo(200);
    }

    /** Refused before anything of the request is judged. */
    @Test
    default void aRequestWithoutATokenLearnsNothingOfItsValidity() {
        for (var request : List.of(
                Calls.callAs("text/plain", "POST", "/v1/locks/a", "{}"),
                Calls.post("/v1/locks/a", "{"),
                Calls.post("/v1/locks/" + "x".repeat(300), "{}"),
                Calls.post("/v1/locks/a", "{}" + " ".repeat(70_000)),
                Calls.get("/v1/locks/a;b=c"),
                Calls.get("/v1/locks?unknown=1"),
                Calls.get("/v1/locks/a", "Accept", "image/png"))) {
            assertProblem(request, 401, "unauthenticated");
        }
    }

    private static Answer send(Operation operation, String... headers) {
        var sample = SampleRequest.of(operation);
        return Calls.call(operation.method(), sample.target(), sample.text(), headers);
    }

    private static boolean isOpen(Operation operation) {
        return rule(operation).asText().equals("open");
    }

    /** The words of the actions of which one is enough; none if it needs no grant. */
    private static Set<String> needed(Operation operation) {
        var rule = rule(operation);
        if (rule.isTextual()) {
            return rule.asText().equals("admin") ? Set.of("admin") : Set.of();
        }
        var words = new TreeSet<String>();
        (rule.path("action").isArray() ? rule.path("action").valueStream() : Stream.of(rule.path("action")))
                .map(JsonNode::asText)
                .forEach(words::add);
        return words;
    }

    private static JsonNode rule(Operation operation) {
        return operation.access();
    }

    private static String id(Operation operation) {
        return operation.id();
    }

    /** What is stored, as an administrator sees it, but for the locks of the service. */
    private static List<String> everything() {
        return Stream.of(
                        "/v1/locks?status=all&prefix=t",
                        "/v1/apps",
                        "/v1/databases",
                        "/v1/services",
                        "/v1/clusters",
                        "/v1/jobs",
                        "/v1/brake",
                        "/v1/reconciliation")
                .map(path -> Calls.get(path, "Authorization", token("admin"))
                        .expect(200)
                        .asString()
                        .replaceAll("\"remaining_ms\":\\d+|\"recent_stops\":\\d+", ""))
                .toList();
    }
}
