package io.holdfast.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.remote.HttpCalls.Answer;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A minimal client of the Kubernetes API. Calls never fail and have a timeout. A call that times out before it is sent
 * is not sent. Files are read, and answers arrive, on worker threads.
 */
public final class KubernetesApi implements AutoCloseable {
    /** More than the largest object in Kubernetes. */
    private static final int BODY_MAX = 4 * 1024 * 1024;

    private static final int WAITING_MAX = 1000;

    /** Shorter than the idle timeout of API servers, so that no call uses a connection that the server closes. */
    private static final int KEEP_ALIVE_SECONDS = 30;

    private final Vertx vertx;
    private final BaseUrl base;
    private final KubernetesCredentials credentials;
    private final Bounds bounds;
    private final Executor workers;
    private final HttpCalls calls;
    private final StrictJson json = new StrictJson();
    private Optional<TrustedClient> current = Optional.empty();

    public KubernetesApi(Vertx vertx, KubernetesConfig config, Bounds bounds) {
        this(vertx, config, bounds, task -> Infrastructure.getDefaultExecutor().execute(task));
    }

    KubernetesApi(Vertx vertx, KubernetesConfig config, Bounds bounds, Executor workers) {
        this.vertx = vertx;
        this.base = BaseUrl.of("holdfast.kubernetes.url", config.url());
        this.credentials = new KubernetesCredentials(config.tokenFile(), config.caFile());
        this.bounds = bounds;
        this.workers = workers;
        this.calls = new HttpCalls(bounds.timeout(), BODY_MAX);
    }

    /** @param timeout of one call, including all waits */
    public record Bounds(Duration timeout, int connectionsMax) {}

    public sealed interface Reply {
        /** @param status 2xx */
        record Done(int status, JsonNode object) implements Reply {}

        /**
         * @param message from Kubernetes; may be empty
         * @param missing the name of the object that does not exist, if Kubernetes itself says so. The 404 of a proxy
         *     names no object.
         */
        record Refused(int status, String message, Optional<String> missing) implements Reply {}

        /** No valid answer. The effect of the call is unknown. */
        record None(String reason) implements Reply {}
    }

    /** @param kind required in the answer, so that another object is not read as an empty one */
    public Uni<Reply> get(String path, String kind) {
        return call(HttpMethod.GET, path, Optional.empty()).map(reply -> ofKind(kind, reply));
    }

    public Uni<Reply> put(String path, JsonNode object) {
        return call(HttpMethod.PUT, path, Optional.of(new Content("application/json", object)));
    }

    public Uni<Reply> mergePatch(String path, JsonNode patch) {
        return call(HttpMethod.PATCH, path, Optional.of(new Content("application/merge-patch+json", patch)));
    }

    private record Content(String type, JsonNode object) {}

    private record Prepared(HttpClient client, HttpCalls.Call call) {}

    private Uni<Reply> call(HttpMethod method, String path, Optional<Content> content) {
        return Uni.createFrom().deferred(() -> {
            var deadline = Deadline.in(bounds.timeout());
            return BlockingWork.run(workers, deadline, () -> prepare(method, path, content))
                    .chain(prepared -> calls.call(prepared.client(), prepared.call(), deadline))
                    .emitOn(workers)
                    // An answer that waited too long for a worker is too old for the next decision.
                    .map(answer -> deadline.isOver() ? late() : reply(answer))
                    .ifNoItem()
                    .after(bounds.timeout())
                    .recoverWithItem(this::late)
                    .onFailure()
                    .recoverWithItem(failure -> new Reply.None(Failures.sentence(failure, bounds.timeout())));
        });
    }

    private Prepared prepare(HttpMethod method, String path, Optional<Content> content) {
        var headers = new HashMap<String, String>();
        headers.put("Accept", "application/json");
        content.ifPresent(given -> headers.put("Content-Type", given.type()));
        var authorities = Optional.<Authorities>empty();
        if (base.isSecure()) {
            credentials.token().ifPresent(token -> headers.put("Authorization", "Bearer " + token));
            authorities = credentials.authorities();
        }
        var body = content.map(given -> given.object().toString());
        return new Prepared(client(authorities), new HttpCalls.Call(method, base.below(path), headers, body));
    }

    /** @param authorities empty for the certificates that the machine trusts */
    private record TrustedClient(Optional<Authorities> authorities, HttpClient client) {}

    private synchronized HttpClient client(Optional<Authorities> wanted) {
        if (current.isEmpty() || !current.get().authorities().equals(wanted)) {
            var next = new TrustedClient(wanted, newClient(wanted));
            current.ifPresent(this::retire);
            current = Optional.of(next);
        }
        return current.get().client();
    }

    private HttpClient newClient(Optional<Authorities> authorities) {
        var options = new HttpClientOptions()
                .setMaxPoolSize(bounds.connectionsMax())
                .setMaxWaitQueueSize(WAITING_MAX)
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setConnectTimeout(Math.toIntExact(bounds.timeout().toMillis()));
        authorities.ifPresent(given -> options.setTrustOptions(TrustOptions.wrap(given.trust())));
        return vertx.createHttpClient(options);
    }

    /** Closes the client after the calls in progress. */
    private void retire(TrustedClient old) {
        vertx.setTimer(bounds.timeout().toMillis(), timer -> old.client().close());
    }

    private Reply late() {
        return new Reply.None(Failures.noAnswer(bounds.timeout()));
    }

    private Reply reply(Answer answer) {
        return switch (answer) {
            case Answer.None none -> new Reply.None(none.reason());
            case Answer.Given given
            when !given.whole() -> new Reply.None("the answer is longer than " + BODY_MAX + " bytes");
            case Answer.Given given when given.status() / 100 == 2 -> done(given);
            case Answer.Given given -> refused(given);
        };
    }

    private Reply done(Answer.Given given) {
        return json.object(given.text())
                .<Reply>map(object -> new Reply.Done(given.status(), object))
                .orElseGet(() -> new Reply.None("the answer is not a JSON object"));
    }

    private Reply refused(Answer.Given given) {
        var body = json.object(given.text());
        var message =
                body.map(status -> Excerpt.of(status.path("message").asText())).orElse("");
        return new Reply.Refused(
                given.status(),
                message,
                body.filter(status -> given.status() == 404).flatMap(KubernetesApi::missing));
    }

    private static Optional<String> missing(JsonNode status) {
        var notFound = "Status".equals(status.path("kind").textValue())
                && "NotFound".equals(status.path("reason").textValue());
        return notFound
                ? Optional.ofNullable(status.path("details").path("name").textValue())
                : Optional.empty();
    }

    private static Reply ofKind(String kind, Reply reply) {
        return reply instanceof Reply.Done done
                        && !kind.equals(done.object().path("kind").textValue())
                ? new Reply.None("the answer is not a " + kind)
                : reply;
    }

    @Override
    public synchronized void close() {
        current.ifPresent(trusted -> trusted.client().close());
        current = Optional.empty();
    }
}
