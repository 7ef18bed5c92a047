package io.holdfast.actuator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.holdfast.actuator.PowerSwitch.Reading;
import io.holdfast.power.Actuator.Outcome;
import io.holdfast.power.Actuator.State;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystem;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Optional;
import java.util.function.Function;

/** The few calls of the Kubernetes API that stopping and starting needs, made with the pod's own token and CA. */
final class KubernetesApi implements AutoCloseable {
    /** More than the largest object that Kubernetes keeps. */
    private static final int BODY_MAX = 4 * 1024 * 1024;

    private static final int CONNECTIONS_MAX = 16;
    private static final int WAITING_MAX = 1000;

    private final Vertx vertx;
    private final ActuatorConfig config;
    private final HttpCalls calls;
    private final ObjectReader json = new ObjectMapper().reader();
    private Optional<Trusting> current = Optional.empty();

    KubernetesApi(Vertx vertx, ActuatorConfig config) {
        this.vertx = vertx;
        this.config = config;
        this.calls = new HttpCalls(config.callTimeout(), BODY_MAX);
    }

    /** A client and the certificates that it trusts. */
    private record Trusting(Buffer certificates, HttpClient client) {}

    private record Credentials(Buffer token, Buffer certificates) {}

    sealed interface Reply {
        record Done(JsonNode object) implements Reply {}

        /** @param outcome refused or to be retried */
        record Failed(Outcome outcome) implements Reply {}

        default Uni<Outcome> thenOrder(Function<JsonNode, Uni<Outcome>> next) {
            return switch (this) {
                case Done done -> next.apply(done.object());
                case Failed failed -> Uni.createFrom().item(failed.outcome());
            };
        }

        default Uni<Reading> thenLook(Function<JsonNode, Uni<Reading>> next) {
            return switch (this) {
                case Done done -> next.apply(done.object());
                case Failed failed -> Uni.createFrom().item(Reading.unknown(failed.outcome()));
            };
        }
    }

    /** @param kind what the answer must say it is: anything else is not read as an empty object */
    Uni<Reply> get(String path, String kind) {
        return call(HttpMethod.GET, path, Optional.empty()).map(reply -> ofKind(kind, reply));
    }

    Uni<Reply> put(String path, JsonNode object) {
        return call(HttpMethod.PUT, path, Optional.of(new Content("application/json", object)));
    }

    Uni<Reply> mergePatch(String path, JsonNode patch) {
        return call(HttpMethod.PATCH, path, Optional.of(new Content("application/merge-patch+json", patch)));
    }

    /**
     * Stopped when no pod is left whose containers may still run, terminating ones included. Pods that ran to their end
     * stay listed for days and hold nothing.
     */
    Uni<Reading> podsGone(String namespace, String selector) {
        var query = "?limit=1&labelSelector=" + encode(selector) + "&fieldSelector="
                + encode("status.phase!=Succeeded,status.phase!=Failed");
        return get("/api/v1/namespaces/" + namespace + "/pods" + query, "PodList")
                .flatMap(reply -> reply.thenLook(pods -> Uni.createFrom().item(podsGone(pods.path("items")))));
    }

    private static Reading podsGone(JsonNode items) {
        if (!items.isArray()) {
            return Reading.unknown("kubernetes answered a list of pods without items");
        }
        return items.isEmpty()
                ? new Reading(State.STOPPED, "no pod left")
                : new Reading(State.STOPPING, "a pod is left");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private record Content(String type, JsonNode object) {}

    private Uni<Reply> call(HttpMethod method, String path, Optional<Content> content) {
        return credentials()
                .flatMap(credentials -> {
                    var headers = new HashMap<String, String>();
                    headers.put("Accept", "application/json");
                    headers.put(
                            "Authorization",
                            "Bearer " + credentials.token().toString().strip());
                    content.ifPresent(given -> headers.put("Content-Type", given.type()));
                    var uri = URI.create(config.kubernetesUrl() + path);
                    var body = content.map(given -> given.object().toString());
                    return calls.call(
                            client(credentials.certificates()), new HttpCalls.Call(method, uri, headers, body));
                })
                .map(this::reply)
                .onFailure(UnreadableFileException.class)
                .recoverWithItem(failure -> new Reply.Failed(new Outcome.Retry(failure.getMessage())));
    }

    private Uni<Credentials> credentials() {
        var token = read(config.kubernetesTokenFile());
        var certificates =
                isTls() ? read(config.kubernetesCaFile()) : Uni.createFrom().item(Buffer.buffer());
        return Uni.combine().all().unis(token, certificates).with(Credentials::new);
    }

    private boolean isTls() {
        return "https".equals(config.kubernetesUrl().getScheme());
    }

    private Uni<Buffer> read(Path file) {
        FileSystem files = vertx.fileSystem();
        return Uni.createFrom()
                .completionStage(() -> files.readFile(file.toString()).toCompletionStage())
                .onFailure()
                .transform(failure -> new UnreadableFileException(file));
    }

    private static final class UnreadableFileException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnreadableFileException(Path file) {
            super("kubernetes: cannot read " + file);
        }
    }

    private synchronized HttpClient client(Buffer certificates) {
        if (current.isEmpty() || !current.get().certificates().equals(certificates)) {
            close();
            current = Optional.of(new Trusting(certificates, newClient(certificates)));
        }
        return current.get().client();
    }

    private HttpClient newClient(Buffer certificates) {
        var options = new HttpClientOptions()
                .setMaxPoolSize(CONNECTIONS_MAX)
                .setMaxWaitQueueSize(WAITING_MAX)
                .setConnectTimeout((int) config.callTimeout().toMillis());
        return vertx.createHttpClient(
                isTls() ? options.setTrustOptions(new PemTrustOptions().addCertValue(certificates)) : options);
    }

    private Reply reply(HttpCalls.Answer answer) {
        return switch (answer) {
            case HttpCalls.Answer.None none -> failed(new Outcome.Retry("kubernetes: " + none.reason()));
            case HttpCalls.Answer.Given given
            when !given.whole() -> failed(new Outcome.Retry("kubernetes answered more than " + BODY_MAX + " bytes"));
            case HttpCalls.Answer.Given given when given.status() / 100 == 2 -> done(given);
            case HttpCalls.Answer.Given given -> failed(outcome(given));
        };
    }

    private Reply done(HttpCalls.Answer.Given given) {
        try {
            return new Reply.Done(json.readTree(given.text()));
        } catch (JsonProcessingException e) {
            return failed(new Outcome.Retry("kubernetes answered no JSON"));
        }
    }

    private Outcome outcome(HttpCalls.Answer.Given given) {
        var reason = "kubernetes answered " + given.status() + message(given);
        return switch (given.status()) {
            // A token that is being replaced, another writer in between, or too many of us.
            case 401, 408, 409, 429 -> new Outcome.Retry(reason);
            default -> given.status() >= 500 ? new Outcome.Retry(reason) : new Outcome.Refused(reason);
        };
    }

    private String message(HttpCalls.Answer.Given given) {
        try {
            var message = Excerpt.of(json.readTree(given.text()).path("message").asText());
            return message.isEmpty() ? "" : ": " + message;
        } catch (JsonProcessingException e) {
            return "";
        }
    }

    private static Reply ofKind(String kind, Reply reply) {
        return reply instanceof Reply.Done done
                        && !kind.equals(done.object().path("kind").asText())
                ? failed(new Outcome.Retry("kubernetes answered no " + kind))
                : reply;
    }

    private static Reply failed(Outcome outcome) {
        return new Reply.Failed(outcome);
    }

    @Override
    public synchronized void close() {
        current.ifPresent(trusting -> trusting.client().close());
        current = Optional.empty();
    }
}
