package io.holdfast.http.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.access.model.NameScope;
import io.holdfast.http.edge.AccessWatch;
import io.holdfast.http.wire.service.EndedBody;
import io.holdfast.http.wire.service.MissedBody;
import io.holdfast.http.wire.service.ReadyBody;
import io.holdfast.lifecycle.feed.Batch;
import io.holdfast.lifecycle.port.FeedPosition;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * The text of the events for one reader. The {@code id} of an event is the position after it, with which the reader
 * resumes.
 *
 * @param prefix moves of services whose ids do not begin with it are left out
 */
record EventText(ObjectMapper json, String prefix) {
    private static final String MISSED =
            "Moves before this event are no longer stored. List the services again; later moves follow.";

    String ready(FeedPosition position) {
        return id(position) + event("ready", new ReadyBody(position.text()));
    }

    /** Has no id, so that a reader which is cut off before it knows that it has missed moves is told again. */
    String readyAfterLoss(FeedPosition position) {
        return event("ready", new ReadyBody(position.text())) + missed();
    }

    /** Has no id, so that a reader which resumes before the next event is told again. */
    String missed() {
        return event("missed", new MissedBody(MISSED));
    }

    /** The last event. Has no id, so that the reader resumes where it was. */
    String ended(AccessWatch.End end) {
        return event("ended", new EndedBody(end.cause().name().toLowerCase(Locale.ROOT), end.detail()));
    }

    /**
     * @param readable moves of other services are left out
     * @return never empty, so that each batch also keeps the connection alive
     */
    String of(Batch batch, NameScope readable) {
        var text = new StringBuilder(batch.hasGap() ? missed() : "");
        var sent = false;
        for (var one : batch.moves()) {
            var id = one.move().service().value();
            sent = id.startsWith(prefix) && readable.contains(id);
            if (sent) {
                var name = one.move().to().isPresent() ? "changed" : "removed";
                text.append(id(one.position())).append(event(name, ServiceBodies.of(one.move())));
            }
        }
        // Without data, an id moves the reader on and is no event to it.
        return text.append(sent ? "" : ": keep-alive\n" + id(batch.position()) + "\n")
                .toString();
    }

    private static String id(FeedPosition position) {
        return "id: " + position.text() + "\n";
    }

    private String event(String name, Object data) {
        try {
            return "event: %s\ndata: %s\n\n".formatted(name, json.writeValueAsString(data));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
