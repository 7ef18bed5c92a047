package io.holdfast.cli.api;

import java.util.Optional;
import java.util.concurrent.Flow;

/** Parses server-sent events as the service sends them: an id, a name and one line of data, each of which may be absent. */
abstract class EventLines implements Flow.Subscriber<String> {
    static final String MEDIA_TYPE = "text/event-stream";

    private static final String ID = "id: ";
    private static final String EVENT = "event: ";
    private static final String DATA = "data: ";

    private volatile Flow.Subscription subscription;
    private volatile boolean cancelled;
    private Optional<String> id = Optional.empty();
    private String name = "";
    private Optional<String> data = Optional.empty();

    /**
     * @param name may be empty
     * @return false if the next event is not to be received before {@link #readOn()}
     */
    abstract boolean event(String name, Optional<String> id, Optional<String> data);

    @Override
    public final void onSubscribe(Flow.Subscription started) {
        subscription = started;
        if (cancelled) {
            started.cancel();
        } else {
            started.request(1);
        }
    }

    @Override
    public final void onNext(String line) {
        if (line.startsWith(ID)) {
            id = Optional.of(line.substring(ID.length()));
        } else if (line.startsWith(EVENT)) {
            name = line.substring(EVENT.length());
        } else if (line.startsWith(DATA)) {
            data = Optional.of(line.substring(DATA.length()));
        }
        if (!line.isEmpty() || endOfEvent()) {
            readOn();
        }
    }

    /** An event whose end has not arrived is dropped, so the client resumes before it. */
    private boolean endOfEvent() {
        var endedId = id;
        var endedName = name;
        var endedData = data;
        // Before the call, because the next line may arrive during it.
        id = Optional.empty();
        name = "";
        data = Optional.empty();
        var isEvent = endedId.isPresent() || endedData.isPresent();
        return !isEvent || event(endedName, endedId, endedData);
    }

    final void readOn() {
        subscription.request(1);
    }

    final void cancel() {
        cancelled = true;
        var started = subscription;
        if (started != null) {
            started.cancel();
        }
    }
}
