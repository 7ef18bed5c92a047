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
 * Asks the app itself for the headers of its address. The client is made when it is first needed, on a worker thread:
 * it reads the trusted certificates, and no start need wait for that.
 */
final class HttpProbe implements AutoCloseable {
    private final Supplier<HttpClient> make;
    private volatile HttpClient made;

    HttpProbe(Supplier<HttpClient> make) {
        this.make = make;
    }

    Uni<Result> http200(URI url) {
        return ask("HEAD", url).map(answer -> result(answer, HttpVerdicts.http200(answer)));
    }

    Uni<Result> cautious(URI url) {
        return ask("HEAD", url)
                .chain(answer -> HttpVerdicts.wantsGet(answer)
                        ? ask("GET", url)
                        : Uni.createFrom().item(answer))
                .map(answer -> result(answer, HttpVerdicts.cautious(answer)));
    }

    private Uni<HttpAnswer> ask(String method, URI url) {
        var request = HttpRequest.newBuilder(url)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client().chain(ready -> HeadersOnly.ask(ready, request));
    }

    private static Result result(HttpAnswer answer, AppStatus status) {
        return new Result(status, Optional.of(answer.code()), answer.method() + " was answered with " + answer.code());
    }

    private Uni<HttpClient> client() {
        var ready = made;
        return ready != null
                ? Uni.createFrom().item(ready)
                : Uni.createFrom().item(this::madeOnce).runSubscriptionOn(Infrastructure.getDefaultExecutor());
    }

    /** If it cannot be made now, the next look tries again. */
    private synchronized HttpClient madeOnce() {
        if (made == null) {
            made = make.get();
        }
        return made;
    }

    @Override
    public synchronized void close() {
        if (made != null) {
            made.shutdownNow();
        }
    }
}
