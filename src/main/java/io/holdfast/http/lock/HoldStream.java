package io.holdfast.http.lock;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.http.edge.AccessWatch;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.hold.HoldClient;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.port.AcquireOutcome;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.UncheckedIOException;
import java.time.Instant;

/**
 * Writes the response of one hold. A refusal is an ordinary response; after the lock is acquired, the response is a stream
 * of events. It is written here because only the connection knows what the client has received.
 */
final class HoldStream implements HoldClient {
    /**
     * Makes a tick as large as the send buffer, so that the next tick cannot be written before this one is acknowledged.
     * Without it, ticks fill the buffer slowly, and a client that was cut off is noticed later. Sent only on request, because it
     * floods a terminal.
     */
    private static final String PADDING = ":" + " ".repeat(HoldConnection.SEND_BUFFER_REAL) + "\n";

    private final ObjectMapper json;
    private final HoldConnection connection;
    private final HttpServerResponse response;
    private final String padding;
    private final UniEmitter<? super Response> answer;
    private volatile Future<?> sent = Future.succeededFuture();

    HoldStream(ObjectMapper json, RoutingContext exchange, boolean padded, UniEmitter<? super Response> answer) {
        this.json = json;
        this.connection = new HoldConnection(exchange.request());
        this.response = exchange.response();
        this.padding = padded ? PADDING : "";
        this.answer = answer;
    }

    @Override
    public void refused(Timestamped<AcquireOutcome> refusal) {
        answer.complete(LockResponses.acquire(refusal.answer(), refusal.now()));
    }

    @Override
    public void failed(Throwable cause) {
        answer.fail(cause);
    }

    /** The caller is not accepted any more, before the lock was acquired. */
    void ended(AccessWatch.End end) {
        answer.complete(end.response());
    }

    @Override
    public void acquired(Lease lease, Instant now) {
        if (response.closed() || response.ended()) {
            return;
        }
        connection.watch();
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, MediaType.SERVER_SENT_EVENTS)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                // Keeps proxies from buffering events.
                .putHeader("X-Accel-Buffering", "no");
        sent = write(event("acquired", LockBodies.held(lease, now)));
    }

    @Override
    public boolean tick(Lease lease, Instant now) {
        var taken = sent.isComplete() && connection.isAlive();
        if (taken) {
            sent = write(padding + event("tick", LockBodies.tick(lease, now)));
        }
        return taken;
    }

    @Override
    public void lost(LeaseLoss loss, Lease lease, Instant now) {
        if (!response.closed() && !response.ended()) {
            response.end(event("lost", LockBodies.lost(loss, lease, now)));
        }
    }

    @Override
    public void hangUp() {
        connection.cut();
    }

    private Future<Void> write(String text) {
        return response.closed() || response.ended() ? Future.succeededFuture() : response.write(text);
    }

    private String event(String name, Object data) {
        try {
            return "event: %s\ndata: %s\n\n".formatted(name, json.writeValueAsString(data));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
