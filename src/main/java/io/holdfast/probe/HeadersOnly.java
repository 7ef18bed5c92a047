package io.holdfast.probe;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Sends requests and reads only the headers of the answer. Cancelling closes the connection. Answers arrive on a worker
 * thread, so that callers cannot block the threads of the client.
 */
final class HeadersOnly {
    private HeadersOnly() {}

    /**
     * Does not follow redirects: they are answers. Uses no proxy, because an error of the proxy would look like an
     * answer of the app.
     */
    static HttpClient.Builder client(Duration connectMax) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(connectMax);
    }

    /** Closes the connection after the headers. */
    static Uni<HttpAnswer> send(HttpClient client, HttpRequest request) {
        return Uni.createFrom()
                .<HttpAnswer>emitter(emitter -> {
                    var answered = new CompletableFuture<HttpAnswer>();
                    var exchange = client.sendAsync(request, info -> {
                        answered.complete(answer(request, info));
                        return new DiscardBody();
                    });
                    exchange.whenComplete((response, failure) -> fail(answered, failure));
                    forward(answered, exchange, emitter);
                })
                .emitOn(Infrastructure.getDefaultExecutor());
    }

    private static HttpAnswer answer(HttpRequest request, ResponseInfo info) {
        return new HttpAnswer(
                request.method(),
                request.uri(),
                info.statusCode(),
                info.headers().firstValue("Location"));
    }

    /** No effect after an answer: then the failure is only the cancelled body. */
    private static void fail(CompletableFuture<?> answered, Throwable failure) {
        if (failure != null) {
            answered.completeExceptionally(failure);
        }
    }

    /** Only {@code cancel(true)} makes the client close the exchange. */
    private static <T> void forward(
            CompletableFuture<T> result, CompletableFuture<?> exchange, UniEmitter<? super T> emitter) {
        emitter.onTermination(() -> exchange.cancel(true));
        result.whenComplete((item, failure) -> {
            if (failure != null) {
                emitter.fail(failure);
            } else {
                emitter.complete(item);
            }
        });
    }
}
