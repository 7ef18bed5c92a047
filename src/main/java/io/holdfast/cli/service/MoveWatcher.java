package io.holdfast.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.api.EventStream;
import io.holdfast.cli.api.EventStream.Event;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Listing;
import io.holdfast.cli.retry.Backoff;
import io.holdfast.cli.retry.FailureNotes;
import io.holdfast.cli.retry.Wakeup;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Prints the moves of services. When the stream ends, it is resumed after the last move that was printed, so none is missed
 * and none is printed twice.
 */
final class MoveWatcher {
    /** Longer than several keep-alives of the service. After that, the connection counts as dead. */
    static final Duration SILENCE_MAX = Duration.ofMinutes(1);

    private static final Duration RETRY_FIRST = Duration.ofMillis(200);
    private static final Duration RETRY_MAX = Duration.ofSeconds(10);

    private final ApiClient api;
    private final Optional<String> only;
    private final String path;
    private final Listing out;
    private final Consumer<String> notes;
    private final FailureNotes failures;
    private final Backoff backoff = new Backoff(RETRY_FIRST, RETRY_MAX);
    private final Wakeup wakeup = new Wakeup();
    private volatile boolean stopped;
    private volatile EventStream stream;
    private long untilNanos;
    private Optional<String> position = Optional.empty();

    /** @param only the only service to print */
    MoveWatcher(ApiClient api, Optional<String> only, Optional<String> prefix, Listing out, Consumer<String> notes) {
        this.api = api;
        this.only = only;
        this.out = out;
        this.notes = notes;
        this.failures = new FailureNotes(api.server(), notes);
        var query = new HashMap<String, String>();
        only.or(() -> prefix).ifPresent(text -> query.put("prefix", text));
        this.path = ServicesCommand.PATH + "/events" + ApiClient.query(query);
    }

    /** May be called from any thread. */
    void stop() {
        stopped = true;
        wakeup.wake();
        var open = stream;
        if (open != null) {
            open.close();
        }
    }

    /**
     * Blocks until {@link #stop()}, the end of the time, or until the reader of stdout has closed it.
     *
     * @param atMost from the beginning of the first stream
     * @throws CliException if the first connection fails, or if the service refuses to resume
     */
    void watch(Optional<Duration> atMost) throws InterruptedException {
        untilNanos = System.nanoTime() + Long.MAX_VALUE;
        while (!isOver()) {
            try (var opened = new EventStream(api, path, position)) {
                stream = opened;
                if (!stopped) {
                    read(opened, atMost);
                }
            }
            pause();
        }
        out.end();
    }

    private boolean isOver() {
        return stopped || nanosLeft() <= 0;
    }

    private long nanosLeft() {
        return untilNanos - System.nanoTime();
    }

    /** Returns when the stream has ended. A stream that had begun is resumed without a message: replicas restart. */
    private void read(EventStream opened, Optional<Duration> atMost) throws InterruptedException {
        var hasBegun = false;
        while (!isOver()) {
            var patience = hasBegun ? SILENCE_MAX : api.answerMax();
            var event = opened.next(Duration.ofNanos(Math.min(patience.toNanos(), nanosLeft())));
            switch (event) {
                case null -> {
                    if (!isOver()) {
                        ended(hasBegun, opened.silence(patience));
                        return;
                    }
                }
                case Event.Message message -> {
                    hasBegun = true;
                    begun(atMost);
                    take(message);
                }
                case Event.Refused(ApiResponse answer) -> {
                    refused(answer);
                    return;
                }
                case Event.Disconnected(CliException why) -> {
                    ended(hasBegun, why);
                    return;
                }
                case Event.Closed closed -> {
                    return;
                }
            }
        }
    }

    private void begun(Optional<Duration> atMost) {
        if (position.isEmpty()) {
            atMost.ifPresent(time -> untilNanos = System.nanoTime() + time.toNanos());
            notes.accept("Watching %s from now on; Ctrl-C ends it."
                    .formatted(only.map("'%s'"::formatted).orElse("services")));
        }
        failures.answered();
        backoff.reset();
    }

    private void take(Event.Message message) {
        switch (message.name()) {
            case "changed", "removed" -> print(message.data());
            case "missed" ->
                notes.accept(
                        "Moves were missed: those before this point are no longer stored. List the services again.");
            default -> {
                // Only moves the position on.
            }
        }
        position = message.id().or(() -> position);
    }

    private void print(JsonNode move) {
        var isWanted = only.isEmpty() || move.path("service").asText().equals(only.get());
        if (isWanted && !out.page(JsonNodeFactory.instance.arrayNode().add(move))) {
            stopped = true;
        }
    }

    private void refused(ApiResponse answer) {
        var isLasting = !answer.isTemporary() && !answer.code().isEmpty();
        if (position.isEmpty() || isLasting) {
            throw answer.failure();
        }
        failures.failed(answer.failure().getMessage());
    }

    private void ended(boolean hasBegun, CliException why) {
        if (position.isEmpty()) {
            throw why;
        }
        if (!hasBegun) {
            failures.failed(why.getMessage());
        }
    }

    private void pause() throws InterruptedException {
        var until = System.nanoTime() + backoff.nextNanos();
        for (var left = until - System.nanoTime(); left > 0 && !isOver(); left = until - System.nanoTime()) {
            wakeup.await(Math.min(left, nanosLeft()));
        }
    }
}
