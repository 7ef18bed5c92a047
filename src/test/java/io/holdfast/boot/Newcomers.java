package io.holdfast.boot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Clients that come one after the other, each with a connection of its own as a balancer's next request has, and ask
 * whether the program is ready, until one of them is turned away. Times are by {@link System#nanoTime()}.
 */
final class Newcomers {
    private static final int ANSWER_MAX_MILLIS = 10_000;

    private final InetSocketAddress address;
    private long lastReadyAskedAt = Long.MIN_VALUE;
    private int servedWhileNotReady;

    Newcomers(URI address) {
        this.address = new InetSocketAddress(address.getHost(), address.getPort());
    }

    /**
     * @param atLeast how long the program went on taking connections after it said that it was not ready any more: from
     *     before the last "ready" was asked for, so it was not longer ready than that
     */
    record Watched(Duration atLeast, int servedWhileNotReady) {}

    Watched watch() {
        while (true) {
            var askedAt = System.nanoTime();
            var status = ask();
            if (status.isEmpty()) {
                return new Watched(Duration.ofNanos(System.nanoTime() - lastReadyAskedAt), servedWhileNotReady);
            }
            if (status.get() == 200) {
                lastReadyAskedAt = askedAt;
            } else {
                servedWhileNotReady++;
            }
        }
    }

    private Optional<Integer> ask() {
        try (var socket = new Socket()) {
            socket.connect(address, ANSWER_MAX_MILLIS);
            socket.setSoTimeout(ANSWER_MAX_MILLIS);
            socket.getOutputStream()
                    .write("GET /q/health/ready HTTP/1.1\r\nHost: newcomer\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            var answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return Optional.ofNullable(answer.readLine()).map(line -> Integer.parseInt(line.split(" ")[1]));
        } catch (IOException turnedAway) {
            return Optional.empty();
        }
    }
}
