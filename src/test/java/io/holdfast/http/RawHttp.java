package io.holdfast.http;

import io.holdfast.contract.Answers;
import io.holdfast.contract.HttpExchange;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sends bytes as they are: no client library normalises, checks or completes them. The answers are checked against the
 * contract.
 */
public final class RawHttp {
    /** In place of a status: the connection was closed without an answer. */
    public static final int HUNG_UP = 0;

    private static final int ANSWER_MILLIS_MAX = 60_000;

    private RawHttp() {}

    public record Answer(int status, Map<String, String> headers, String body) {
        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    public static Answer send(int port, byte[] request) throws IOException {
        try (var exchange = begin(port, request)) {
            return exchange.answer();
        }
    }

    /** Sends the request and does not wait for the answer. */
    public static Exchange begin(int port, byte[] request) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(ANSWER_MILLIS_MAX);
        var exchange = new Exchange(socket);
        try {
            exchange.send(request);
        } catch (IOException refusedBeforeTheEnd) {
            // The answer may be there all the same; if it is not, reading it fails.
        }
        return exchange;
    }

    /** A request on a connection of its own. Closing it is hanging up, answered or not. */
    public static final class Exchange implements AutoCloseable {
        private final Socket socket;
        private String[] line = {};

        private Exchange(Socket socket) {
            this.socket = socket;
        }

        public Socket socket() {
            return socket;
        }

        /** One request at a time. */
        public void send(byte[] request) throws IOException {
            line = new String(request, StandardCharsets.ISO_8859_1).split("\r\n", 2)[0].split(" ");
            socket.getOutputStream().write(request);
            socket.getOutputStream().flush();
        }

        /** A refusal without a body is one of HTTP itself: the service has not seen the request. */
        public Answer answer() throws IOException {
            var answer = read(new BufferedInputStream(socket.getInputStream()));
            if (answer.status() < 400 && answer.status() != HUNG_UP
                    || !answer.body().isEmpty()) {
                Answers.check(
                        new HttpExchange(line[0], line[1], null, answer.status(), answer.headers(), answer.body()));
            }
            return answer;
        }

        public void hangUp() throws IOException {
            socket.close();
        }

        @Override
        public void close() throws IOException {
            hangUp();
        }
    }

    private static Answer read(InputStream in) throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            return new Answer(HUNG_UP, Map.of(), "");
        }
        in.reset();
        var status = Integer.parseInt(line(in).split(" ", 3)[1]);
        var headers = new TreeMap<String, String>();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            var colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        var length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Answer(status, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (var value = in.read(); value != '\n'; value = in.read()) {
            if (value < 0) {
                throw new EOFException("The server closed the connection after \"" + line + "\"");
            }
            line.append((char) value);
        }
        return line.toString().stripTrailing();
    }
}
