package io.holdfast.actuator;

import io.holdfast.kernel.Settings;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * HTTP calls that never fail, never follow a redirect, and are bounded in time and in what they read. A call that is
 * given up before its connection stands is never sent.
 */
final class HttpCalls {
    private final Duration timeout;
    private final int bodyMax;

    HttpCalls(Duration timeout, int bodyMax) {
        this.timeout = timeout;
        this.bodyMax = bodyMax;
    }

    record Call(HttpMethod method, URI uri, Map<String, String> headers, Optional<String> body) {
        private RequestOptions options() {
            var options = new RequestOptions()
                    .setMethod(method)
                    .setAbsoluteURI(uri.toString())
                    .setFollowRedirects(false);
            headers.forEach(options::addHeader);
            return options;
        }
    }

    sealed interface Answer {
        /** @param whole whether all of the body was read; what goes beyond the bound is not */
        record Given(int status, Buffer body, boolean whole) implements Answer {
            String text() {
                return body.toString(StandardCharsets.UTF_8);
            }
        }

        /** Nobody answered, or not in time: what the call did is in doubt. */
        record None(String reason) implements Answer {}
    }

    Uni<Answer> call(HttpClient client, Call call) {
        return Uni.createFrom().deferred(() -> {
            var exchange = new Exchange(bodyMax);
            return Uni.createFrom()
                    .completionStage(() -> exchange.run(client, call).toCompletionStage())
                    .onCancellation()
                    .invoke(exchange::abandon)
                    .ifNoItem()
                    .after(timeout)
                    .fail()
                    .onFailure()
                    .recoverWithItem(failure -> new Answer.None(reason(failure)));
        });
    }

    private String reason(Throwable failure) {
        return failure instanceof TimeoutException ? "no answer within " + Settings.text(timeout) : Excerpt.of(failure);
    }

    private static final class Exchange {
        private final int bodyMax;
        private Optional<HttpClientRequest> request = Optional.empty();
        private boolean abandoned;

        Exchange(int bodyMax) {
            this.bodyMax = bodyMax;
        }

        Future<Answer> run(HttpClient client, Call call) {
            return client.request(call.options()).compose(opened -> {
                // What goes wrong is told by the futures; without a handler it is logged as an error as well.
                opened.exceptionHandler(failure -> {});
                if (!keep(opened)) {
                    opened.reset();
                    return Future.failedFuture("given up before it was sent");
                }
                var response = call.body().isPresent()
                        ? opened.send(Buffer.buffer(call.body().get()))
                        : opened.send();
                return response.compose(this::read);
            });
        }

        private synchronized boolean keep(HttpClientRequest opened) {
            request = Optional.of(opened);
            return !abandoned;
        }

        synchronized void abandon() {
            abandoned = true;
            request.ifPresent(HttpClientRequest::reset);
        }

        private Future<Answer> read(HttpClientResponse response) {
            var answer = Promise.<Answer>promise();
            var body = Buffer.buffer();
            response.exceptionHandler(answer::tryFail);
            response.endHandler(end -> answer.tryComplete(new Answer.Given(response.statusCode(), body, true)));
            response.handler(chunk -> {
                var room = Math.min(bodyMax - body.length(), chunk.length());
                body.appendBuffer(chunk, 0, room);
                if (room < chunk.length() && answer.tryComplete(given(response, body))) {
                    response.request().reset();
                }
            });
            return answer.future();
        }

        private static Answer given(HttpClientResponse response, Buffer body) {
            return new Answer.Given(response.statusCode(), body, false);
        }
    }
}
