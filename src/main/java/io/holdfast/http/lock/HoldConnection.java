package io.holdfast.http.lock;

import io.netty.channel.ChannelOption;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * The connection of a hold. It detects a client that was cut off: TCP alone takes about 15 minutes, because it retransmits
 * what is not acknowledged. With HTTP/1.1 the send buffer is made small, so that unacknowledged ticks fill it soon. With
 * HTTP/2, where other streams need the buffer, the client is pinged instead.
 */
final class HoldConnection {
    private static final int SEND_BUFFER = 4096;

    /** The size in effect: the kernel doubles the requested size. */
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
            // The connection is closed afterwards: other responses must not use so small a buffer.
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        if (!multiplexed && request.connection() instanceof ConnectionBase connection) {
            connection.channel().config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER);
            connection.channel().config().setOption(ChannelOption.SO_KEEPALIVE, true);
        }
    }

    /** Whether the client has answered the last HTTP/2 ping. Sends the next one. Always true for HTTP/1.1. */
    boolean isAlive() {
        var answered = pong.isComplete();
        if (multiplexed && answered) {
            pong = request.connection().ping(Buffer.buffer("holdfast"));
        }
        return answered;
    }

    /** Closes the connection without sending what is buffered. An HTTP/2 connection that answers no ping is closed with all of its streams. */
    void cut() {
        if (request.connection() instanceof ConnectionBase connection) {
            // Closes the channel: the close of the connection would first send what is buffered.
            connection.channelHandlerContext().close();
        } else {
            request.connection().close();
        }
    }
}
