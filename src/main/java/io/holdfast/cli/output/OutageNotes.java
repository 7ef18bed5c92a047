package io.holdfast.cli.output;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Reports once that the service cannot be reached while it should keep locks, and once that it is back. Thread-safe; never
 * blocks.
 */
public final class OutageNotes {
    /** Reports nothing. */
    public static final OutageNotes NONE = new OutageNotes("", sentence -> {});

    private final String server;
    private final Consumer<String> notes;
    private final Set<String> disconnected = new TreeSet<>();
    private final Set<String> reported = new TreeSet<>();

    public OutageNotes(String server, Consumer<String> notes) {
        this.server = server;
        this.notes = notes;
    }

    /**
     * @param why a sentence
     * @param left how long until the lock counts as lost
     */
    public synchronized void disconnected(String lock, String why, Duration left) {
        if (disconnected.isEmpty()) {
            report("%s Retrying; without an answer, '%s' counts as lost in %s."
                    .formatted(why, lock, DurationText.words(left)));
        }
        disconnected.add(lock);
        reported.add(lock);
    }

    /** The service keeps the lock again. */
    public synchronized void reconnected(String lock) {
        if (disconnected.remove(lock) && disconnected.isEmpty()) {
            report("%s answers again: '%s' %s still held."
                    .formatted(server, String.join("', '", reported), reported.size() == 1 ? "is" : "are"));
            reported.clear();
        }
    }

    /** The lock is no longer needed. Reports nothing. */
    public synchronized void forget(String lock) {
        disconnected.remove(lock);
        reported.remove(lock);
    }

    private void report(String sentence) {
        AsyncNote.begin(() -> notes.accept(sentence));
    }
}
