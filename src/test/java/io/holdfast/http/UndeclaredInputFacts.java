package io.holdfast.http;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.path;
import static io.holdfast.http.lock.LockCalls.unique;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.http.lock.LockCalls;
import io.restassured.RestAssured;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An endpoint refuses every query parameter and every body that its contract does not have. */
public interface UndeclaredInputFacts {
    Pattern PATH_PARAMETER = Pattern.compile("\\{[^}]+}");

    /** An operation of the contract. */
    record Operation(String method, String template, boolean takesBody) {
        String path() {
            return PATH_PARAMETER.matcher(template).replaceAll(unique("undeclared"));
        }

        Answer call(String query, Object body) {
            return Calls.call(method, path() + query, body);
        }

        @Override
        public String toString() {
            return method + " " + template;
        }
    }

    @Test
    default void everyEndpointRefusesAnUnknownQueryParameter() {
        var operations = operations().toList();

        assertThat(operations).hasSizeGreaterThan(20).allSatisfy(operation -> assertThatCode(() ->
                        assertInvalid(operation.call("?unknwon=1", operation.takesBody() ? "{}" : null), "unknwon"))
                .doesNotThrowAnyException());
    }

    @Test
    default void everyEndpointWithoutABodyRefusesOne() {
        var operations =
                operations().filter(operation -> !operation.takesBody()).toList();

        assertThat(operations).hasSizeGreaterThan(12).allSatisfy(operation -> {
            for (var body : List.of("{\"dry_run\":true}", "{}", " ")) {
                assertThatCode(() -> assertInvalid(operation.call("", body), "body"))
                        .doesNotThrowAnyException();
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/locks?stauts=all, stauts, status",
        "/v1/locks?Prefix=a, Prefix, prefix",
        "/v1/apps?limti=1, limti, limit",
        "/v1/databases/a:1/decisions?limits=1, limits, limit",
        "/status/quick?ap=a, ap, app",
        "/v1/locks/a/hold?max-hold=1h, max-hold, max_hold",
    })
    default void theNearestKnownParameterIsNamed(String path, String unknown, String nearest) {
        var refused = Calls.get(path);

        assertInvalid(refused, unknown);
        assertThat(refused.<String>path("detail")).contains("did you mean " + nearest + "?");
    }

    @Test
    default void theContractRefusesWhatItDoesNotKnowToo() {
        var misspelt = Calls.get("/q/openapi?fromat=json");

        assertInvalid(misspelt, "fromat");
        assertThat(misspelt.<String>path("detail")).contains("did you mean format?");
        assertInvalid(Calls.get("/q/openapi?format="), "format");
        assertInvalid(Calls.get("/q/openapi?format=xml"), "format");
        assertInvalid(Calls.call("GET", "/q/openapi", "{}"), "body");
    }

    @Test
    default void theFirstPageRefusesWhatItDoesNotKnowToo() {
        assertInvalid(Calls.get("/?dry_run=true"), "dry_run");
        assertInvalid(Calls.call("GET", "/", "{}"), "body");
        assertThat(Calls.get("/").statusCode()).isEqualTo(200);
    }

    @Test
    default void aParameterThatIsNearNoneIsToldWhatThereIs() {
        assertThat(Calls.get("/v1/locks?colour=red").<String>path("allowed"))
                .isEqualTo("left out; the query takes cursor, limit, lock_type, owner, prefix, status");
        assertThat(Calls.get("/v1/about?colour=red").<String>path("allowed"))
                .isEqualTo("left out; this request takes no query parameters");
    }

    @Test
    default void everyUnknownParameterIsNamed() {
        assertThat(Calls.get("/v1/locks?colour=red&stauts=all").<String>path("detail"))
                .startsWith("colour must be left out;")
                .endsWith(" So must stauts");
    }

    /** Also one that nobody would write: the answer stays short. */
    @Test
    default void aParameterWithALongNameIsCutInTheAnswer() {
        var refused = Calls.get("/v1/locks?" + "x".repeat(3000) + "=1");

        assertInvalid(refused, "x".repeat(64) + "…");
    }

    @ParameterizedTest
    @ValueSource(strings = {"owner=ada&owner=ada", "owner=ada;owner=bob", "stauts=all&stauts=all", "stauts", "owner="})
    default void aRepeatedOrEmptyParameterIsRefused(String query) {
        assertInvalid(Calls.get("/v1/locks?" + query), query.startsWith("owner") ? "owner" : "stauts");
        assertInvalid(
                Calls.get("/status/quick?" + query.replace("owner", "app")),
                query.startsWith("owner") ? "app" : "stauts");
    }

    @Test
    default void aRefusedReleaseReleasesNothing() {
        var name = unique("undeclared-release");
        var held = acquired(name, "ada");
        var release = path(name) + "?owner=ada&lock_id=" + held.path("lock_id");

        assertInvalid(Calls.delete(release + "&dry_run=true"), "dry_run");
        assertInvalid(Calls.call("DELETE", release, "{\"dry_run\":true}"), "body");
        assertInvalid(Calls.delete(release + "&reason=why"), "reason");
        assertInvalid(Calls.delete(release + "&lock_delay=5m"), "lock_delay");
        var force = path(name) + "?force=true&reason=why&fencing_token=" + LockCalls.token(held);
        assertInvalid(Calls.delete(force + "&owner=ada"), "owner");

        assertThat(get(name).<String>path("status")).isEqualTo("active");
        Calls.delete(release).expect(200);
    }

    @Test
    default void aRefusedAcquireTakesNothing() {
        var name = unique("undeclared-acquire");

        assertInvalid(Calls.post(path(name) + "?ttl=30s", Map.of("owner", "ada")), "ttl");

        assertThat(get(name).statusCode()).isEqualTo(404);
    }

    /** Its length is not known before it has come. */
    @Test
    default void aBodyInChunksIsRefusedAndAnEmptyOneIsNone() throws IOException {
        var name = unique("undeclared-chunks");
        var held = acquired(name, "ada");
        var release = "DELETE %s?owner=ada&lock_id=%s HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
                .formatted(path(name), held.<String>path("lock_id"));

        var refused = RawHttp.send(RestAssured.port, (release + "2\r\n{}\r\n0\r\n\r\n").getBytes(US_ASCII));
        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(get(name).<String>path("status")).isEqualTo("active");

        var released = RawHttp.send(RestAssured.port, (release + "0\r\n\r\n").getBytes(US_ASCII));
        assertThat(released.body()).isEqualTo("{\"released\":true}");
    }

    @Test
    default void theConnectionServesTheNextRequestAfterARefusedBody() throws IOException {
        var refused = "POST %s/start HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}".formatted("/v1/apps/a");
        try (var exchange = RawHttp.begin(RestAssured.port, refused.getBytes(US_ASCII))) {
            assertThat(exchange.answer().status()).isEqualTo(400);

            exchange.send("GET /v1/about HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(US_ASCII));
            assertThat(exchange.answer().status()).isEqualTo(200);
        }
    }

    /** A request of HTTP/2 need not say whether a body follows. */
    @Test
    default void aBodyOfHttp2IsRefusedAndAnEmptyOneIsNone() throws IOException, InterruptedException {
        var name = unique("undeclared-h2");
        var held = acquired(name, "ada");
        var base = "http://localhost:" + RestAssured.port;
        var release = URI.create(base + path(name) + "?owner=ada&lock_id=" + held.path("lock_id"));
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            var upgraded = client.send(
                    HttpRequest.newBuilder(URI.create(base + "/v1/about")).build(), BodyHandlers.ofString());
            assertThat(upgraded.version()).isEqualTo(HttpClient.Version.HTTP_2);

            var refused = client.send(deleteOf(release, "{}"), BodyHandlers.ofString());
            assertThat(refused.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertInvalid(new Answer(refused), "body");
            assertThat(get(name).<String>path("status")).isEqualTo("active");

            assertThat(client.send(deleteOf(release, ""), BodyHandlers.ofString())
                            .body())
                    .isEqualTo("{\"released\":true}");
            assertThat(client.send(HttpRequest.newBuilder(release).DELETE().build(), BodyHandlers.ofString())
                            .body())
                    .isEqualTo("{\"released\":false}");
        }
    }

    /** Without a content-length. */
    private static HttpRequest deleteOf(URI uri, String body) {
        return HttpRequest.newBuilder(uri)
                .method("DELETE", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body.getBytes(US_ASCII))))
                .build();
    }

    private static Stream<Operation> operations() {
        var contract = Calls.get("/q/openapi?format=json").expect(200).json();
        return contract.<String, Map<String, Object>>getMap("paths").entrySet().stream()
                .flatMap(path -> path.getValue().entrySet().stream()
                        .map(operation -> new Operation(
                                operation.getKey().toUpperCase(Locale.ROOT),
                                path.getKey(),
                                ((Map<?, ?>) operation.getValue()).containsKey("requestBody"))));
    }
}
