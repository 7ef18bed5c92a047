package io.holdfast.cli.output;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Tells people once that the service is away while it should keep their locks, and once that it is back. Never blocks,
 * whether the notes are read or not. Safe for concurrent use.
 */
public final class OutageNotes {
    /** Says nothing. */
    public static final OutageNotes NONE = new OutageNotes("", sentence -> {});

    private final String server;
    private final Consumer<String> notes;
    private final Set<String> away = new TreeSet<>();
    private final Set<String> toldOf = new TreeSet<>();

    public OutageNotes(String server, Consumer<String> notes) {
        this.server = server;
        this.notes = notes;
    }

    /**
     * @param why a sentence
     * @param left how long the lock is still ours without the service
     */
    public synchronized void away(String lock, String why, Duration left) {
        if (away.isEmpty()) {
            say("%s Retrying; without an answer, '%s' counts as lost in %s."
                    .formatted(why, lock, DurationText.words(left)));
        }
        away.add(lock);
        toldOf.add(lock);
    }

    /** The lock is kept by the service again. */
    public synchronized void back(String lock) {
        if (away.remove(lock) && away.isEmpty()) {
            say("%s answers again: '%s' %s still held."
                    .formatted(server, String.join("', '", toldOf), toldOf.size() == 1 ? "is" : "are"));
            toldOf.clear();
        }
    }

    private void say(String sentence) {
        AsyncNote.begin(() -> notes.accept(sentence));
    }
}
