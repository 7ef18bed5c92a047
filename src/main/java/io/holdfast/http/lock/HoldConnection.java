package io.holdfast.http.lock;

import io.netty.channel.ChannelOption;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * The connection of a hold, made so that a client that was cut off is noticed. TCP alone takes a quarter of an hour: it
 * goes on repeating what is not acknowledged, and its keep-alive is silent meanwhile. So the send buffer is made small:
 * what is not acknowledged soon fills it. A connection of HTTP/2 has other streams that need the buffer, and is asked for
 * an answer instead.
 */
final class HoldConnection {
    private static final int SEND_BUFFER = 4096;

    /** What it is then: the kernel doubles it, for its own bookkeeping. */
    static final int SEND_BUFFER_REAL = 2 * SEND_BUFFER;

    private final HttpServerRequest request;
    private final boolean multiplexed;
    private volatile Future<?> pong = Future.succeededFuture();

    HoldConnection(HttpServerRequest request) {
        this.request = request;
        this.multiplexed = request.version() == HttpVersion.HTTP_2;
    }

    void watch() {
        if (!multiplexed) {
            // Nothing else should have to come through so small a buffer.
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        if (!multiplexed && request.connection() instanceof ConnectionBase connection) {
            connection.channel().config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER);
            connection.channel().config().setOption(ChannelOption.SO_KEEPALIVE, true);
        }
    }

    /** Whether the client has answered since it was last asked, if it can be asked. Asks again. */
    boolean isAlive() {
        var answered = pong.isComplete();
        if (multiplexed && answered) {
            pong = request.connection().ping(Buffer.buffer("holdfast"));
        }
        return answered;
    }

    /** Nothing more can be told on it. A connection of HTTP/2 that does not answer is of no use to its other streams. */
    void cut() {
        if (request.connection() instanceof ConnectionBase connection) {
            // Not the connection's own close: that one sends first what nobody takes.
            connection.channelHandlerContext().close();
        } else {
            request.connection().close();
        }
    }
}
