package io.holdfast.cli.work;

import java.util.function.Consumer;

/** Reports once that no job can be claimed, and once that it works again, for all slots of a worker. Thread-safe. */
final class ClaimFailures {
    private final String server;
    private final Consumer<String> notes;
    private boolean failing;

    ClaimFailures(String server, Consumer<String> notes) {
        this.server = server;
        this.notes = notes;
    }

    synchronized void failed(String sentence) {
        if (!failing) {
            failing = true;
            notes.accept(sentence + " Retrying.");
        }
    }

    synchronized void answered() {
        if (failing) {
            failing = false;
            notes.accept(server + " answers again.");
        }
    }
}
