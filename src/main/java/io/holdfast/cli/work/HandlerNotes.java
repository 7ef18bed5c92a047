package io.holdfast.cli.work;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.work.HandlerOutput.HandlerError;
import io.holdfast.http.wire.job.ProgressBody;
import java.util.Optional;
import java.util.function.Consumer;

/** What a handler has written for Holdfast. The last result and the last error count. Thread-safe. */
final class HandlerNotes implements HandlerOutput.Listener {
    private final Consumer<ProgressBody> progress;
    private final Consumer<String> notes;
    private volatile JsonNode result;
    private volatile HandlerError error;

    HandlerNotes(Consumer<ProgressBody> progress, Consumer<String> notes) {
        this.progress = progress;
        this.notes = notes;
    }

    Optional<JsonNode> result() {
        return Optional.ofNullable(result);
    }

    Optional<HandlerError> error() {
        return Optional.ofNullable(error);
    }

    @Override
    public void progress(ProgressBody reported) {
        progress.accept(reported);
    }

    @Override
    public void result(JsonNode reported) {
        result = reported;
    }

    @Override
    public void error(HandlerError reported) {
        error = reported;
    }

    @Override
    public void ignored(String sentence) {
        notes.accept(sentence);
    }
}
