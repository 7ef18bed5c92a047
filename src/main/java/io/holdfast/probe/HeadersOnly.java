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
 * Requests that end with the headers of their answer. Cancelling ends the exchange and closes its connection. Answers arrive on a worker thread, never on
 * the client's own, so that whoever goes on from there cannot hold up other answers.
 */
final class HeadersOnly {
    private HeadersOnly() {}

    /**
     * Redirects are answers and are not followed. No proxy is asked: what a proxy says when an app cannot be reached
     * would be taken for the app's own words.
     */
    static HttpClient.Builder client(Duration connectMax) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(connectMax);
    }

    /** The connection is closed and never used again, whatever the app still sends on it. */
    static Uni<HttpAnswer> ask(HttpClient client, HttpRequest request) {
        return Uni.createFrom()
                .<HttpAnswer>emitter(emitter -> {
                    var answered = new CompletableFuture<HttpAnswer>();
                    var exchange = client.sendAsync(request, info -> {
                        answered.complete(answer(request, info));
                        return new DiscardBody();
                    });
                    exchange.whenComplete((response, failure) -> fail(answered, failure));
                    hand(answered, exchange, emitter);
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

    /** After the answer this is only the news that we hung up. */
    private static void fail(CompletableFuture<?> answered, Throwable failure) {
        if (failure != null) {
            answered.completeExceptionally(failure);
        }
    }

    /** Only {@code cancel(true)} makes the client end the exchange. */
    private static <T> void hand(
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
