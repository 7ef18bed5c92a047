package io.holdfast.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.holdfast.cli.output.CliException;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.http.wire.lock.LostBody;
import io.holdfast.http.wire.lock.TickBody;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One connection that holds one lock. Its events are read by polling. */
public final class HoldStream implements AutoCloseable {
    public sealed interface Event {
        record Acquired(LockBody lock) implements Event {}

        record Tick(TickBody tick) implements Event {}

        record Lost(LostBody lost) implements Event {}

        record Refused(ApiResponse answer) implements Event {}

        record Disconnected(String why) implements Event {}
    }

    private final ApiClient api;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Lines lines = new Lines();
    private final AuthorizedCall<byte[]> connection;
    private CompletableFuture<Boolean> replaced;

    public HoldStream(ApiClient api, String pathAndQuery) {
        this.api = api;
        this.connection = api.stream(pathAndQuery, Map.of(), this::body);
        connection.answer().whenComplete((answer, failure) -> {
            if (failure != null) {
                events.add(disconnected(failure));
            } else if (answer.response().statusCode() != 200) {
                events.add(refused(answer));
            }
        });
    }

    /** @return null if there is no event within the timeout */
    public Event next(Duration timeout) throws InterruptedException {
        return events.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Whether all events that have arrived were read. After a pause of this process, the first of many is outdated. */
    public boolean isCaughtUp() {
        return events.isEmpty();
    }

    /**
     * Whether there is a newer token than that of this connection, and the service accepts it. The service ends a connection
     * when its token expires. Does not block: the first call only begins to look.
     */
    public boolean isTokenReplaced() {
        var isKnown = replaced != null && replaced.isDone();
        var result = isKnown && replaced.join();
        if (replaced == null || isKnown) {
            replaced = connection.token().map(api::isReplaced).orElse(null);
        }
        return result;
    }

    @Override
    public void close() {
        lines.cancel();
        connection.cancel();
    }

    private HttpResponse.BodySubscriber<byte[]> body(HttpResponse.ResponseInfo head) {
        return head.statusCode() == 200
                ? BodySubscribers.mapping(BodySubscribers.fromLineSubscriber(lines), nothing -> new byte[0])
                : BodySubscribers.ofByteArray();
    }

    private Event refused(AuthorizedCall.Answer<byte[]> answer) {
        try {
            return new Event.Refused(api.response(answer));
        } catch (CliException notHoldfast) {
            return new Event.Disconnected(notHoldfast.getMessage());
        }
    }

    private Event disconnected(Throwable failure) {
        return new Event.Disconnected(api.failures().disconnected(failure));
    }

    private final class Lines extends EventLines {
        /** Reads on at once: the events after a pause of this process are read together. */
        @Override
        boolean event(String name, Optional<String> id, Optional<String> data) {
            try {
                var body = api.parse(data.orElse(""));
                switch (name) {
                    case "acquired" -> events.add(new Event.Acquired(api.read(body, LockBody.class)));
                    case "tick" -> events.add(new Event.Tick(api.read(body, TickBody.class)));
                    case "lost" -> events.add(new Event.Lost(api.read(body, LostBody.class)));
                    default -> {
                        // Ignores events of newer services.
                    }
                }
            } catch (JsonProcessingException | CliException malformed) {
                events.add(disconnected(malformed));
            }
            return true;
        }

        @Override
        public void onError(Throwable failure) {
            events.add(disconnected(failure));
        }

        @Override
        public void onComplete() {
            events.add(new Event.Disconnected(api.server() + " ended the connection."));
        }
    }
}
