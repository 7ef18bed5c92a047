package io.holdfast.cli.work;

import io.holdfast.cli.base.CliEnvironment;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where the handlers of one slot write.
 *
 * @param prefix names the slot, before each line; empty if there is only one
 * @param notes messages of the worker for people
 */
record SlotOutput(CliEnvironment.Streams streams, String prefix, Consumer<String> notes) {
    boolean isPrefixed() {
        return !prefix.isEmpty();
    }

    HandlerOutput out(Optional<HandlerOutput.Listener> listener) {
        return new HandlerOutput(streams.out(), prefix, listener);
    }

    HandlerOutput err() {
        return new HandlerOutput(streams.err(), prefix, Optional.empty());
    }

    void note(ClaimedJob job, String sentence) {
        notes.accept("%sJob %s: %s".formatted(prefix, job.id(), sentence));
    }
}
