package io.holdfast.store.dynamodb;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * An HTTP proxy on loopback that does to a DynamoDB client what a network and a busy service do. Every request that
 * arrives is counted, also one that a fault keeps from the upstream. A fault is used up by the request it hits: first
 * those for its operation, then those for any, then the one that is always on.
 */
public final class FaultProxy implements AutoCloseable {

    public enum Fault {
        /** Done upstream, and the connection closes without an answer. */
        LOSE_ANSWER(true),
        /** Done upstream, and the client is told of an internal error. */
        ERROR_500_AFTER_COMMIT(true),
        /** Not done, and the client is told of an internal error. */
        ERROR_500_BEFORE(false),
        /** Not done, and the client is told that it asks too much. */
        THROTTLE(false),
        /** A transaction that is not done, because another one is under way. */
        CANCEL_BY_CONFLICT(false),
        /** A transaction that is not done, because one of its items is asked for too much. */
        CANCEL_BY_THROTTLING(false),
        /** Not done, and the connection closes without an answer. */
        REFUSE(false),
        /** Not done, and no answer; healing or closing the proxy closes the connection. */
        HANG(false),
        /** Done upstream, and no answer; healing or closing the proxy closes the connection. */
        HANG_AFTER_COMMIT(true);

        private final boolean reachesUpstream;

        Fault(boolean reachesUpstream) {
            this.reachesUpstream = reachesUpstream;
        }
    }

    private static final String ANY = "*";
    private static final Duration UPSTREAM_WITHIN = Duration.ofSeconds(60);
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);
    /** They belong to one connection, or the HTTP client writes them itself. */
    private static final Set<String> NOT_FORWARDED = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private final URI upstream;
    private final ServerSocket server;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Queue<Throwable> hookFailures = new ConcurrentLinkedQueue<>();

    private final Object lock = new Object();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Map<String, Deque<Fault>> faults = new HashMap<>();
    private final Map<String, Deque<Runnable>> before = new HashMap<>();
    private final Map<String, Deque<Runnable>> after = new HashMap<>();
    private Optional<Fault> always = Optional.empty();
    private CountDownLatch healed = new CountDownLatch(1);
    private volatile Duration dateOffset = Duration.ZERO;

    private FaultProxy(URI upstream, ServerSocket server) {
        this.upstream = upstream;
        this.server = server;
    }

    public static FaultProxy to(URI upstream) {
        try {
            FaultProxy proxy = new FaultProxy(upstream, new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1")));
            Thread.ofVirtual().name("fault-proxy").start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** How many requests of this operation, such as {@code UpdateItem}, have arrived. */
    public int count(String operation) {
        return counts().getOrDefault(operation, 0);
    }

    public Map<String, Integer> counts() {
        synchronized (lock) {
            return Map.copyOf(counts);
        }
    }

    public void resetCounts() {
        synchronized (lock) {
            counts.clear();
        }
    }

    public void next(Fault fault) {
        next(ANY, fault);
    }

    public void next(String operation, Fault fault) {
        queue(faults, operation, fault);
    }

    public void always(Fault fault) {
        synchronized (lock) {
            always = Optional.of(fault);
        }
    }

    /** Forgets all faults, also those not yet used, and lets go of what hangs. Hooks and the date stay as they are. */
    public void heal() {
        synchronized (lock) {
            always = Optional.empty();
            faults.clear();
            healed.countDown();
            healed = new CountDownLatch(1);
        }
    }

    /** Moves the {@code Date} of answers; zero puts it back. */
    public void shiftDate(Duration offset) {
        dateOffset = offset;
    }

    /** Runs the action before the next request of the operation goes upstream; that request waits for it. */
    public void beforeNext(String operation, Runnable action) {
        queue(before, operation, action);
    }

    /** Runs the action when upstream has done the next request of the operation and the client does not know yet. */
    public void afterNext(String operation, Runnable action) {
        queue(after, operation, action);
    }

    /** Fails if a hook failed, since the client saw no more of that than a closed connection. */
    @Override
    public void close() {
        try {
            server.close();
            heal();
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            http.shutdownNow();
        }
        if (!hookFailures.isEmpty()) {
            throw new AssertionError("a hook failed", hookFailures.peek());
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket connection = server.accept();
                connections.add(connection);
                Thread.ofVirtual().name("fault-proxy-connection").start(() -> serve(connection));
            } catch (IOException e) {
                // Closed, or a client that left before it was let in.
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            OutputStream out = new BufferedOutputStream(connection.getOutputStream());
            Optional<Answer> answer = answer(Request.read(in));
            while (answer.isPresent()) {
                answer.get().write(out);
                answer = answer(Request.read(in));
            }
        } catch (IOException e) {
            // Either side went away, or a hook failed; to the client it is a closed connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(connection);
        }
    }

    /** What the client hears; if nothing, its connection is to be closed. */
    private Optional<Answer> answer(Request request) throws IOException, InterruptedException {
        Arrival arrival = arrive(request.operation());
        if (arrival.fault().isEmpty()) {
            return Optional.of(forward(request));
        }
        Fault fault = arrival.fault().get();
        if (fault.reachesUpstream) {
            forward(request);
        }
        return switch (fault) {
            case LOSE_ANSWER, REFUSE -> Optional.empty();
            case ERROR_500_BEFORE, ERROR_500_AFTER_COMMIT -> Optional.of(error(500, "InternalServerError"));
            case THROTTLE -> Optional.of(error(400, "ProvisionedThroughputExceededException"));
            case CANCEL_BY_CONFLICT -> Optional.of(cancelled(request, "TransactionConflict"));
            case CANCEL_BY_THROTTLING -> Optional.of(cancelled(request, "ThrottlingError"));
            case HANG, HANG_AFTER_COMMIT -> {
                arrival.healed().await();
                yield Optional.empty();
            }
        };
    }

    /** Counting and taking the fault are one step, so that who has seen the count may heal. */
    private Arrival arrive(String operation) {
        synchronized (lock) {
            counts.merge(operation, 1, Integer::sum);
            Optional<Fault> fault =
                    poll(faults, operation).or(() -> poll(faults, ANY)).or(() -> always);
            return new Arrival(fault, healed);
        }
    }

    private Answer forward(Request request) throws IOException, InterruptedException {
        run(before, request.operation());
        HttpRequest.Builder builder = HttpRequest.newBuilder(upstream.resolve(request.path()))
                .timeout(UPSTREAM_WITHIN)
                .method(request.method(), HttpRequest.BodyPublishers.ofByteArray(request.body()));
        request.headers().stream().filter(Header::forwarded).forEach(h -> builder.header(h.name(), h.value()));
        HttpResponse<byte[]> response = http.send(builder.build(), HttpResponse.BodyHandlers.ofByteArray());
        run(after, request.operation());
        List<Header> headers = new ArrayList<>();
        response.headers().map().forEach((name, values) -> values.forEach(v -> headers.add(header(name, v))));
        return new Answer(response.statusCode(), headers, response.body());
    }

    private Header header(String name, String value) {
        if (!name.equalsIgnoreCase("date") || dateOffset.isZero()) {
            return new Header(name, value);
        }
        Instant said = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
        return new Header(name, HTTP_DATE.format(said.plus(dateOffset)));
    }

    private Answer error(int status, String type) {
        return error(status, type, "");
    }

    /** One reason for each item: the last one is to blame. */
    private Answer cancelled(Request request, String code) throws IOException {
        int items = new ObjectMapper()
                .readTree(request.body())
                .path("TransactItems")
                .size();
        String reasons = "{\"Code\":\"None\"},".repeat(Math.max(0, items - 1)) + "{\"Code\":\"%s\"}".formatted(code);
        return error(400, "TransactionCanceledException", ",\"CancellationReasons\":[%s]".formatted(reasons));
    }

    private Answer error(int status, String type, String more) {
        String body =
                "{\"__type\":\"com.amazonaws.dynamodb.v20120810#%s\",\"message\":\"injected\"%s}".formatted(type, more);
        List<Header> headers = List.of(
                new Header("Content-Type", "application/x-amz-json-1.0"),
                header("Date", HTTP_DATE.format(Instant.now())));
        return new Answer(status, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    private void run(Map<String, Deque<Runnable>> hooks, String operation) throws IOException {
        Optional<Runnable> hook;
        synchronized (lock) {
            hook = poll(hooks, operation);
        }
        try {
            hook.ifPresent(Runnable::run);
        } catch (RuntimeException | Error e) {
            hookFailures.add(e);
            throw new IOException("a hook failed", e);
        }
    }

    private <T> void queue(Map<String, Deque<T>> queues, String operation, T entry) {
        synchronized (lock) {
            queues.computeIfAbsent(operation, any -> new ArrayDeque<>()).add(entry);
        }
    }

    private static <T> Optional<T> poll(Map<String, Deque<T>> queues, String operation) {
        return Optional.ofNullable(queues.get(operation)).map(Deque::poll);
    }

    private record Arrival(Optional<Fault> fault, CountDownLatch healed) {}

    private record Header(String name, String value) {
        boolean forwarded() {
            return !NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT));
        }
    }

    private record Request(String method, String path, List<Header> headers, byte[] body) {

        static Request read(InputStream in) throws IOException {
            String start = line(in);
            String[] words = start.split(" ");
            if (words.length != 3) {
                throw new IOException("not an HTTP request: " + start);
            }
            List<Header> headers = new ArrayList<>();
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                int colon = line.indexOf(':');
                headers.add(new Header(
                        line.substring(0, colon), line.substring(colon + 1).trim()));
            }
            int length = Integer.parseInt(first(headers, "Content-Length").orElse("0"));
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException();
            }
            return new Request(words[0], words[1], headers, body);
        }

        /** {@code DynamoDB_20120810.UpdateItem} is an UpdateItem; a request that names no operation is its method. */
        String operation() {
            return first(headers, "X-Amz-Target")
                    .map(target -> target.substring(target.lastIndexOf('.') + 1))
                    .orElse(method);
        }

        private static Optional<String> first(List<Header> headers, String name) {
            return headers.stream()
                    .filter(header -> header.name().equalsIgnoreCase(name))
                    .map(Header::value)
                    .findFirst();
        }

        private static String line(InputStream in) throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new EOFException();
                }
                if (b != '\r') {
                    line.write(b);
                }
            }
            return line.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private record Answer(int status, List<Header> headers, byte[] body) {

        void write(OutputStream out) throws IOException {
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " \r\n");
            headers.stream().filter(Header::forwarded).forEach(header -> head.append(header.name())
                    .append(": ")
                    .append(header.value())
                    .append("\r\n"));
            head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
            out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
            out.write(body);
            out.flush();
        }
    }
}
