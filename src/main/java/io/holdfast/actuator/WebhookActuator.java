package io.holdfast.actuator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.DatabaseId;
import io.holdfast.remote.Excerpt;
import io.holdfast.remote.HttpCalls;
import io.holdfast.remote.StrictJson;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sends orders to a webhook that stops and starts the database. Orders are signed. A repeated order has the same
 * idempotency key, so that the receiver can ignore it.
 */
final class WebhookActuator implements AutoCloseable {
    static final int BODY_MAX = 64 * 1024;

    private static final int CONNECTIONS_PER_HOST_MAX = 16;
    private static final int WAITING_PER_HOST_MAX = 1000;

    private final HttpClient client;
    private final HttpCalls calls;
    private final InstantSource clock;
    private final StrictJson json = new StrictJson();

    WebhookActuator(Vertx vertx, Duration timeout, InstantSource clock) {
        // No keep-alive: if the receiver closed an idle connection, the effect of the order would be unknown.
        client = vertx.createHttpClient(new HttpClientOptions()
                .setKeepAlive(false)
                .setMaxPoolSize(CONNECTIONS_PER_HOST_MAX)
                .setMaxWaitQueueSize(WAITING_PER_HOST_MAX)
                .setConnectTimeout((int) timeout.toMillis()));
        calls = new HttpCalls(timeout, BODY_MAX);
        this.clock = clock;
    }

    PowerSwitch of(DatabaseId database, ActuatorSpec.Webhook spec) {
        return new PowerSwitch() {
            @Override
            public Uni<Outcome> stop(long epoch) {
                return order(spec, new Order("stop", database, epoch));
            }

            @Override
            public Uni<Outcome> start(long epoch) {
                return order(spec, new Order("start", database, epoch));
            }

            @Override
            public Uni<Reading> state() {
                var call = new HttpCalls.Call(HttpMethod.GET, spec.statusUrl(), headers(spec, ""), Optional.empty());
                return calls.call(client, call).map(answer -> reading(answer));
            }
        };
    }

    private record Order(String action, DatabaseId database, long epoch) {
        String idempotencyKey() {
            return database + "#" + epoch + "#" + action;
        }

        String body() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("action", action)
                    .put("database", database.value())
                    .put("epoch", epoch)
                    .put("idempotency_key", idempotencyKey())
                    .toString();
        }
    }

    private Uni<Outcome> order(ActuatorSpec.Webhook spec, Order order) {
        return Uni.createFrom().deferred(() -> {
            var body = order.body();
            var headers = headers(spec, body);
            headers.put("Content-Type", "application/json");
            headers.put("Idempotency-Key", order.idempotencyKey());
            var call = new HttpCalls.Call(HttpMethod.POST, spec.url(), headers, Optional.of(body));
            return calls.call(client, call).map(answer -> outcome(answer, spec.secret()));
        });
    }

    private Map<String, String> headers(ActuatorSpec.Webhook spec, String body) {
        var timestamp = String.valueOf(clock.instant().getEpochSecond());
        var headers = new HashMap<String, String>();
        headers.put("Accept", "application/json");
        headers.put("X-Holdfast-Timestamp", timestamp);
        spec.secret()
                .ifPresent(secret ->
                        headers.put("X-Holdfast-Signature", "sha256=" + Signature.hex(secret, timestamp + "." + body)));
        return headers;
    }

    private static Outcome outcome(HttpCalls.Answer answer, Optional<String> secret) {
        return switch (answer) {
            case HttpCalls.Answer.None none -> new Outcome.Retry("webhook: " + none.reason());
            case HttpCalls.Answer.Given given -> {
                var reason = "webhook answered " + given.status() + excerpt(given, secret);
                yield switch (given.status()) {
                    case 408, 425, 429 -> new Outcome.Retry(reason);
                    default ->
                        switch (given.status() / 100) {
                            case 2 -> new Outcome.Accepted();
                            case 5 -> new Outcome.Retry(reason);
                            default -> new Outcome.Refused(reason);
                        };
                };
            }
        };
    }

    /** Replaces the secret: the receiver may return it, and the excerpt is logged. */
    private static String excerpt(HttpCalls.Answer.Given given, Optional<String> secret) {
        var text = Excerpt.of(
                secret.map(known -> given.text().replace(known, "***")).orElseGet(given::text));
        return text.isEmpty() ? "" : ": " + text;
    }

    private Reading reading(HttpCalls.Answer answer) {
        return switch (answer) {
            case HttpCalls.Answer.None none -> Reading.unknown("status URL: " + none.reason());
            case HttpCalls.Answer.Given given
            when given.status() != 200 -> Reading.unknown("status URL answered " + given.status());
            case HttpCalls.Answer.Given given
            when !given.whole() -> Reading.unknown("status URL answered more than " + BODY_MAX + " bytes");
            case HttpCalls.Answer.Given given -> reading(given);
        };
    }

    private Reading reading(HttpCalls.Answer.Given given) {
        var object = json.object(given.text());
        if (object.isEmpty()) {
            return Reading.unknown("status URL did not answer with a JSON object");
        }
        var state = object.get().path("state");
        var known = state.isTextual() ? state.textValue() : "";
        return switch (known) {
            case "RUNNING", "STOPPING", "STOPPED", "STARTING" -> new Reading(State.valueOf(known), "status URL");
            default -> Reading.unknown("status URL answered a state other than RUNNING, STOPPING, STOPPED, STARTING");
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
