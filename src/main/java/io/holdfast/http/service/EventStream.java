package io.holdfast.http.service;

import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.AccessWatch;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.lifecycle.LifecycleService;
import io.holdfast.lifecycle.feed.Batch;
import io.holdfast.lifecycle.feed.MoveFeed;
import io.holdfast.lifecycle.port.FeedPosition;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * Writes one stream of events. It asks for the next moves when the last ones are written, so a slow client delays only
 * itself. A refusal is an ordinary response. All steps run on the event loop of the connection, and none blocks.
 */
final class EventStream {
    private static final Logger LOG = Logger.getLogger(EventStream.class);

    private final LifecycleService services;
    private final EventText text;
    private final HttpServerResponse response;
    private final RequestAccess access;
    private final Context context;
    private final UniEmitter<? super Response> answer;
    private volatile CompletableFuture<?> pending = CompletableFuture.completedFuture(null);
    private volatile boolean closed;
    private volatile Optional<MoveFeed.Place> place = Optional.empty();

    EventStream(
            LifecycleService services, EventText text, RoutingContext exchange, UniEmitter<? super Response> answer) {
        this.services = services;
        this.text = text;
        this.response = exchange.response();
        this.access = RequestAccess.of(exchange);
        this.context = exchange.vertx().getOrCreateContext();
        this.answer = answer;
    }

    /** @param after the position from which the client resumes; if absent, it gets later moves only */
    void start(Optional<FeedPosition> after) {
        place = Optional.of(services.openFeed());
        var end = services.feedEnd().subscribeAsCompletionStage();
        pending = end;
        end.whenComplete((position, failure) -> context.runOnContext(ignored -> {
            if (failure == null) {
                begin(position, after);
            } else {
                answer.fail(failure);
            }
        }));
    }

    /** A position after the end is that of another store, or of one that has lost data. */
    private void begin(FeedPosition end, Optional<FeedPosition> after) {
        var isLost = after.filter(position -> isAfter(position, end)).isPresent();
        var position = isLost ? end : after.orElse(end);
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, MediaType.SERVER_SENT_EVENTS)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                // Keeps proxies from buffering events.
                .putHeader("X-Accel-Buffering", "no");
        writeAll(isLost ? text.readyAfterLoss(position) : text.ready(position))
                .onSuccess(written -> pass(next(position)));
    }

    private static boolean isAfter(FeedPosition position, FeedPosition end) {
        return IntStream.range(0, LifecycleStore.SHARDS)
                .anyMatch(shard -> position.sequence(shard) > end.sequence(shard));
    }

    private CompletableFuture<Batch> next(FeedPosition position) {
        var next = services.nextMoves(position).subscribeAsCompletionStage();
        pending = next;
        if (closed) {
            next.cancel(false);
        }
        return next;
    }

    /** Each round is a task of its own: batches that are at hand would otherwise be written in ever deeper calls. */
    private void pass(CompletableFuture<Batch> next) {
        next.whenComplete((batch, failure) -> context.runOnContext(ignored -> {
            if (failure != null) {
                fail(failure);
            } else {
                writeAll(text.of(batch, access.scope(Action.READ, ResourceKind.SERVICES)))
                        .onSuccess(written -> goOn(batch));
            }
        }));
    }

    private void goOn(Batch batch) {
        if (services.isDraining()) {
            end();
        } else {
            pass(next(batch.position()));
        }
    }

    /** The client resumes with the id of the last event, here or at another replica. */
    private void fail(Throwable failure) {
        if (!closed) {
            LOG.debugf("Event stream ended error=\"%s\"", failure.getMessage());
            end();
        }
    }

    /** The caller is not accepted any more. May be called from any thread. */
    void end(AccessWatch.End end) {
        context.runOnContext(ignored -> {
            if (response.headWritten()) {
                write(text.ended(end));
            } else {
                answer.complete(end.response());
            }
            close();
            end();
        });
    }

    private void end() {
        if (!response.closed() && !response.ended()) {
            response.end();
        }
    }

    private Future<Void> writeAll(String events) {
        return write(events).onFailure(disconnected -> close());
    }

    private Future<Void> write(String events) {
        return response.closed() || response.ended()
                ? Future.failedFuture("The client has disconnected.")
                : response.write(events);
    }

    /** Of a client that has disconnected. May be called from any thread, and again. */
    void close() {
        closed = true;
        pending.cancel(false);
        place.ifPresent(MoveFeed.Place::leave);
    }
}
