package io.holdfast.probe;

import io.holdfast.power.model.AppStatus;
import io.holdfast.power.port.AppProbe.Result;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Probes the URL of an app. The HTTP client is created on first use, on a worker thread: it reads the trusted
 * certificates, which would delay the start of the server.
 */
final class HttpProbe implements AutoCloseable {
    private final Supplier<HttpClient> factory;
    private volatile HttpClient created;

    HttpProbe(Supplier<HttpClient> factory) {
        this.factory = factory;
    }

    Uni<Result> http200(URI url) {
        return send("HEAD", url).map(answer -> result(answer, HttpVerdicts.http200(answer)));
    }

    Uni<Result> cautious(URI url) {
        return send("HEAD", url)
                .chain(answer -> HttpVerdicts.needsGet(answer)
                        ? send("GET", url)
                        : Uni.createFrom().item(answer))
                .map(answer -> result(answer, HttpVerdicts.cautious(answer)));
    }

    private Uni<HttpAnswer> send(String method, URI url) {
        var request = HttpRequest.newBuilder(url)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client().chain(existing -> HeadersOnly.send(existing, request));
    }

    private static Result result(HttpAnswer answer, AppStatus status) {
        return new Result(status, Optional.of(answer.code()), answer.method() + " was answered with " + answer.code());
    }

    private Uni<HttpClient> client() {
        var existing = created;
        return existing != null
                ? Uni.createFrom().item(existing)
                : Uni.createFrom().item(this::createOnce).runSubscriptionOn(Infrastructure.getDefaultExecutor());
    }

    /** If this fails, the next probe retries. */
    private synchronized HttpClient createOnce() {
        if (created == null) {
            created = factory.get();
        }
        return created;
    }

    @Override
    public synchronized void close() {
        if (created != null) {
            created.shutdownNow();
        }
    }
}
