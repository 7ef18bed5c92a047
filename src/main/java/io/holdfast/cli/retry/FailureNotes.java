package io.holdfast.cli.retry;

import java.util.function.Consumer;

/** Reports once that the service cannot do what is repeated, and once that it works again. Thread-safe. */
public final class FailureNotes {
    private final String server;
    private final Consumer<String> notes;
    private boolean failing;

    public FailureNotes(String server, Consumer<String> notes) {
        this.server = server;
        this.notes = notes;
    }

    public synchronized void failed(String sentence) {
        if (!failing) {
            failing = true;
            notes.accept(sentence + " Retrying.");
        }
    }

    public synchronized void answered() {
        if (failing) {
            failing = false;
            notes.accept(server + " answers again.");
        }
    }
}
