package io.holdfast.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One connection to a stream of events that can be resumed. The next event is received when the last one was taken, so a slow
 * reader takes no memory.
 */
public final class EventStream implements AutoCloseable {
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    public sealed interface Event {
        /** @param name empty for an id that only moves the position on */
        record Message(String name, Optional<String> id, JsonNode data) implements Event {}

        record Refused(ApiResponse answer) implements Event {}

        record Disconnected(CliException why) implements Event {}

        /** {@link #close()} was called. */
        record Closed() implements Event {}
    }

    private final ApiClient api;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Lines lines = new Lines();
    private final AuthorizedCall<byte[]> connection;

    /** @param after the id after which to resume; if absent, only later events are sent */
    public EventStream(ApiClient api, String pathAndQuery, Optional<String> after) {
        this.api = api;
        var headers = after.map(id -> Map.of(LAST_EVENT_ID, id)).orElseGet(Map::of);
        this.connection = api.stream(pathAndQuery, headers, this::body);
        connection.answer().whenComplete((answer, failure) -> {
            if (failure != null) {
                events.add(disconnected(failure));
            } else if (!isStream(
                    answer.response().statusCode(), answer.response().headers())) {
                events.add(refused(answer));
            }
        });
    }

    private HttpResponse.BodySubscriber<byte[]> body(HttpResponse.ResponseInfo head) {
        return isStream(head.statusCode(), head.headers())
                ? BodySubscribers.mapping(BodySubscribers.fromLineSubscriber(lines), nothing -> new byte[0])
                : BodySubscribers.ofByteArray();
    }

    private static boolean isStream(int status, HttpHeaders headers) {
        return status == 200
                && headers.firstValue("Content-Type")
                        .filter(type -> type.startsWith(EventLines.MEDIA_TYPE))
                        .isPresent();
    }

    private Event refused(AuthorizedCall.Answer<byte[]> answer) {
        try {
            return new Event.Refused(api.response(answer));
        } catch (CliException notHoldfast) {
            return new Event.Disconnected(notHoldfast);
        }
    }

    private Event disconnected(Throwable failure) {
        return new Event.Disconnected(api.failures().unanswered(failure, api.answerMax(), true));
    }

    /** @return null if there is no event within the timeout */
    public Event next(Duration timeout) throws InterruptedException {
        var event = events.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (event instanceof Event.Message) {
            lines.readOn();
        }
        return event;
    }

    /** For a stream without an event. */
    public CliException silence(Duration timeout) {
        return api.failures().unanswered(new HttpTimeoutException("no event"), timeout, true);
    }

    /** May be called from any thread, and again. */
    @Override
    public void close() {
        lines.cancel();
        connection.cancel();
        events.add(new Event.Closed());
    }

    private final class Lines extends EventLines {
        @Override
        boolean event(String name, Optional<String> id, Optional<String> data) {
            try {
                var body = data.isPresent() ? api.parse(data.get()) : MissingNode.getInstance();
                events.add(new Event.Message(name, id, body));
            } catch (JsonProcessingException malformed) {
                events.add(new Event.Disconnected(api.failures().notHoldfast(malformed)));
            }
            return false;
        }

        @Override
        public void onError(Throwable failure) {
            events.add(disconnected(failure));
        }

        @Override
        public void onComplete() {
            events.add(new Event.Disconnected(
                    new CliException(Exit.UNAVAILABLE, api.server() + " ended the connection.")));
        }
    }
}
