package io.holdfast.remote;

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
 * HTTP calls with a timeout and a body limit. They never fail and never follow a redirect. A call that times out before
 * it is connected is not sent. Answers arrive on an event loop.
 */
public final class HttpCalls {
    private final Duration timeout;
    private final int bodyMax;

    public HttpCalls(Duration timeout, int bodyMax) {
        this.timeout = timeout;
        this.bodyMax = bodyMax;
    }

    public record Call(HttpMethod method, URI uri, Map<String, String> headers, Optional<String> body) {
        private RequestOptions options() {
            var options = new RequestOptions()
                    .setMethod(method)
                    .setAbsoluteURI(uri.toString())
                    .setFollowRedirects(false);
            headers.forEach(options::addHeader);
            return options;
        }
    }

    public sealed interface Answer {
        /** @param whole false if the body was cut at the limit */
        record Given(int status, Buffer body, boolean whole) implements Answer {
            public String text() {
                return body.toString(StandardCharsets.UTF_8);
            }
        }

        /** No answer in time. The effect of the call is unknown. */
        record None(String reason) implements Answer {}
    }

    /** The timeout starts with the subscription. */
    public Uni<Answer> call(HttpClient client, Call call) {
        return Uni.createFrom().deferred(() -> call(client, call, Deadline.in(timeout)));
    }

    /** @param deadline of an operation that began earlier */
    Uni<Answer> call(HttpClient client, Call call, Deadline deadline) {
        return Uni.createFrom().deferred(() -> {
            var exchange = new Exchange(bodyMax, deadline);
            return Uni.createFrom()
                    .completionStage(() -> exchange.run(client, call).toCompletionStage())
                    .onCancellation()
                    .invoke(exchange::cancel)
                    .ifNoItem()
                    .after(deadline.left())
                    .fail()
                    .onFailure()
                    .recoverWithItem(failure -> new Answer.None(Failures.sentence(failure, timeout)));
        });
    }

    private static final class Exchange {
        private final int bodyMax;
        private final Deadline deadline;
        private Optional<HttpClientRequest> request = Optional.empty();
        private boolean cancelled;

        Exchange(int bodyMax, Deadline deadline) {
            this.bodyMax = bodyMax;
            this.deadline = deadline;
        }

        Future<Answer> run(HttpClient client, Call call) {
            return client.request(call.options()).compose(opened -> {
                // The futures report failures. Without a handler Vert.x logs them as errors, too.
                opened.exceptionHandler(failure -> {});
                if (!register(opened)) {
                    opened.reset();
                    return Future.failedFuture(new TooLateException());
                }
                var response = call.body().isPresent()
                        ? opened.send(Buffer.buffer(call.body().get()))
                        : opened.send();
                return response.compose(this::read);
            });
        }

        /** Also checks the deadline: the timer that cancels may be late. */
        private synchronized boolean register(HttpClientRequest opened) {
            request = Optional.of(opened);
            return !cancelled && !deadline.isOver();
        }

        synchronized void cancel() {
            cancelled = true;
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
