package io.holdfast.probe;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.power.AppProbe.Result;
import io.holdfast.power.AppProbe.Status;
import io.holdfast.registry.AppName;
import io.smallrye.mutiny.Uni;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Asks a status gateway instead of the app. Its answer is believed only when it has exactly the agreed form and is about
 * the app that was asked for: an error page or another service at that address must not look like an app that is down.
 */
final class GatewayProbe {
    private static final int BYTES_MAX = 16 * 1024;
    private static final Set<String> FIELDS = Set.of("app", "status", "http_code", "timestamp");

    private final URI base;
    private final Supplier<HttpClient> client;
    private final StrictJson json = new StrictJson();

    GatewayProbe(URI base, Supplier<HttpClient> client) {
        this.base = base;
        this.client = client;
    }

    Uni<Result> ask(AppName app) {
        var query = "/status/quick?app=" + URLEncoder.encode(app.value(), StandardCharsets.UTF_8);
        var request = HttpRequest.newBuilder(Urls.below(base, query))
                .header("Accept", "application/json")
                .header("Cache-Control", "no-cache")
                .build();
        return HttpCalls.document(client.get(), request, BYTES_MAX).map(response -> result(app, response));
    }

    private Result result(AppName app, HttpResponse<byte[]> response) {
        if (response.statusCode() != 200) {
            throw new CannotTellException("the status gateway answered with " + response.statusCode());
        }
        var answer = json.object(response.body());
        var names = new TreeSet<String>();
        answer.fieldNames().forEachRemaining(names::add);
        require(names.equals(FIELDS), "has other fields than app, status, http_code, timestamp");
        require(app.value().equals(answer.get("app").textValue()), "is about another app");
        requireTimestamp(answer.get("timestamp"));
        var status = status(answer.get("status"));
        var code = httpCode(answer.get("http_code"));
        require(status != Status.DOWN || !code.equals(Optional.of(200)), "calls an app DOWN that answers with 200");
        return new Result(
                status,
                code,
                "the status gateway says " + status
                        + code.map(given -> ", HTTP " + given).orElse(""));
    }

    private static Status status(JsonNode node) {
        for (var status : Status.values()) {
            if (status.name().equals(node.textValue())) {
                return status;
            }
        }
        throw malformed("has a status that is none of UP, DOWN, UNKNOWN");
    }

    private static Optional<Integer> httpCode(JsonNode node) {
        if (node.isNull()) {
            return Optional.empty();
        }
        require(node.isInt() && node.intValue() >= 100 && node.intValue() <= 999, "has an http_code that is none");
        return Optional.of(node.intValue());
    }

    private static void requireTimestamp(JsonNode node) {
        try {
            OffsetDateTime.parse(node.asText());
        } catch (DateTimeException e) {
            throw malformed("has a timestamp that is none");
        }
    }

    private static void require(boolean good, String otherwise) {
        if (!good) {
            throw malformed(otherwise);
        }
    }

    private static CannotTellException malformed(String how) {
        return new CannotTellException("the status gateway's answer " + how);
    }
}
