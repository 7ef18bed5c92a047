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
 * HTTP calls that never fail, never follow a redirect, and are bounded in time and in what they read. A call that is
 * given up before its connection stands is never sent. Answers arrive on an event loop.
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
        /** @param whole whether all of the body was read; what goes beyond the bound is not */
        record Given(int status, Buffer body, boolean whole) implements Answer {
            public String text() {
                return body.toString(StandardCharsets.UTF_8);
            }
        }

        /** Nobody answered, or not in time: what the call did is in doubt. */
        record None(String reason) implements Answer {}
    }

    /** The time runs from the subscription. */
    public Uni<Answer> call(HttpClient client, Call call) {
        return Uni.createFrom().deferred(() -> call(client, call, Deadline.in(timeout)));
    }

    /** @param deadline of a call that was asked for a while ago; it ends no later than that */
    Uni<Answer> call(HttpClient client, Call call, Deadline deadline) {
        return Uni.createFrom().deferred(() -> {
            var exchange = new Exchange(bodyMax, deadline);
            return Uni.createFrom()
                    .completionStage(() -> exchange.run(client, call).toCompletionStage())
                    .onCancellation()
                    .invoke(exchange::abandon)
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
        private boolean abandoned;

        Exchange(int bodyMax, Deadline deadline) {
            this.bodyMax = bodyMax;
            this.deadline = deadline;
        }

        Future<Answer> run(HttpClient client, Call call) {
            return client.request(call.options()).compose(opened -> {
                // What goes wrong is told by the futures; without a handler it is logged as an error as well.
                opened.exceptionHandler(failure -> {});
                if (!keep(opened)) {
                    opened.reset();
                    return Future.failedFuture(new TooLateException());
                }
                var response = call.body().isPresent()
                        ? opened.send(Buffer.buffer(call.body().get()))
                        : opened.send();
                return response.compose(this::read);
            });
        }

        /** The timer that abandons this may itself be late on a busy machine. */
        private synchronized boolean keep(HttpClientRequest opened) {
            request = Optional.of(opened);
            return !abandoned && !deadline.isOver();
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
