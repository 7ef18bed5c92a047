package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Clients that come one after the other, each with a connection of its own as a balancer's next request has, and ask
 * whether the program is ready, until one of them is turned away. Times are by {@link System#nanoTime()}.
 */
final class Newcomers {
    private static final int READY = 200;
    private static final int ANSWER_MAX_MILLIS = 60_000;

    private final InetSocketAddress address;
    private long lastReadyAskedAt = System.nanoTime();
    private int servedWhileNotReady;

    /** The first one finds it ready. */
    Newcomers(URI address) {
        this.address = new InetSocketAddress(address.getHost(), address.getPort());
        assertThat(ask()).contains(READY);
    }

    /**
     * @param readyAt before the last "ready" was asked for: the program was not ready any more some time after that
     * @param turnedAwayAt when the first one was not served
     */
    record Watched(long readyAt, long turnedAwayAt, int servedWhileNotReady) {}

    Watched watch() {
        while (true) {
            var askedAt = System.nanoTime();
            var status = ask();
            if (status.isEmpty()) {
                return new Watched(lastReadyAskedAt, System.nanoTime(), servedWhileNotReady);
            }
            if (status.get() == READY) {
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
