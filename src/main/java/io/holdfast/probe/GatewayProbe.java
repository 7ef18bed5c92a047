package io.holdfast.probe;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.registry.AppName;
import io.holdfast.remote.BaseUrl;
import io.holdfast.remote.HttpCalls;
import io.holdfast.remote.HttpCalls.Answer;
import io.holdfast.remote.StrictJson;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Requests the status of an app from a status gateway. Accepts only an answer of the exact form and about this app, so
 * that an error page or another service cannot make an app DOWN.
 */
final class GatewayProbe implements AutoCloseable {
    private static final int BYTES_MAX = 16 * 1024;
    private static final Set<String> FIELDS = Set.of("app", "status", "http_code", "timestamp");

    private final BaseUrl base;
    private final HttpClient client;
    private final HttpCalls calls;
    private final StrictJson json = new StrictJson();

    GatewayProbe(BaseUrl base, Vertx vertx, Bounds bounds) {
        this.base = base;
        // No keep-alive: a request on an idle connection that the gateway closes would get no answer.
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setKeepAlive(false)
                .setMaxPoolSize(bounds.parallelMax())
                .setConnectTimeout(Math.toIntExact(bounds.timeout().toMillis())));
        this.calls = new HttpCalls(bounds.timeout(), BYTES_MAX);
    }

    record Bounds(Duration timeout, int parallelMax) {}

    /** The answer arrives on a worker thread. */
    Uni<Result> probe(AppName app) {
        var query = "/status/quick?app=" + URLEncoder.encode(app.value(), StandardCharsets.UTF_8);
        var headers = Map.of("Accept", "application/json", "Cache-Control", "no-cache");
        var call = new HttpCalls.Call(HttpMethod.GET, base.below(query), headers, Optional.empty());
        return calls.call(client, call)
                .emitOn(Infrastructure.getDefaultExecutor())
                .map(answer -> result(app, answer));
    }

    private Result result(AppName app, Answer answer) {
        return switch (answer) {
            case Answer.None none -> throw new StatusUnknownException(none.reason());
            case Answer.Given given
            when given.status() != 200 ->
                throw new StatusUnknownException("the status gateway answered with " + given.status());
            case Answer.Given given
            when !given.whole() ->
                throw new StatusUnknownException("the answer is longer than " + BYTES_MAX + " bytes");
            case Answer.Given given -> result(app, given);
        };
    }

    private Result result(AppName app, Answer.Given given) {
        var answer = json.object(given.text()).orElseThrow(() -> malformed("is not a JSON object"));
        var names = new TreeSet<String>();
        answer.fieldNames().forEachRemaining(names::add);
        require(names.equals(FIELDS), "must have exactly the fields app, status, http_code, timestamp");
        require(app.value().equals(answer.get("app").textValue()), "is about another app");
        requireTimestamp(answer.get("timestamp"));
        var status = status(answer.get("status"));
        var code = httpCode(answer.get("http_code"));
        require(status != AppStatus.DOWN || !code.equals(Optional.of(200)), "has status DOWN with http_code 200");
        return new Result(
                status,
                code,
                "the status gateway says " + status
                        + code.map(number -> ", HTTP " + number).orElse(""));
    }

    private static AppStatus status(JsonNode node) {
        for (var status : AppStatus.values()) {
            if (status.name().equals(node.textValue())) {
                return status;
            }
        }
        throw malformed("has a status other than UP, DOWN, UNKNOWN");
    }

    private static Optional<Integer> httpCode(JsonNode node) {
        if (node.isNull()) {
            return Optional.empty();
        }
        require(
                node.isInt() && node.intValue() >= 100 && node.intValue() <= 999,
                "has an http_code that is not an HTTP status code");
        return Optional.of(node.intValue());
    }

    private static void requireTimestamp(JsonNode node) {
        try {
            OffsetDateTime.parse(node.asText());
        } catch (DateTimeException e) {
            throw malformed("has a timestamp that is not in RFC 3339 format");
        }
    }

    private static void require(boolean valid, String problem) {
        if (!valid) {
            throw malformed(problem);
        }
    }

    private static StatusUnknownException malformed(String problem) {
        return new StatusUnknownException("the status gateway's answer " + problem);
    }

    @Override
    public void close() {
        client.close();
    }
}
