package io.holdfast.cli.output;

import java.util.Map;

/** ANSI colours; without effect when off. */
public final class AnsiStyle {
    private static final String RESET = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";

    /** The colours of states. */
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("active", GREEN),
            Map.entry("expired", YELLOW),
            Map.entry("releasing", YELLOW),
            Map.entry("released", DIM),
            Map.entry("UP", GREEN),
            Map.entry("DOWN", DIM),
            Map.entry("UNKNOWN", YELLOW),
            Map.entry("RUNNING", GREEN),
            Map.entry("STARTED", GREEN),
            Map.entry("STOPPED", DIM),
            Map.entry("STOP_STUCK", RED),
            Map.entry("STOP_FAILED", RED),
            Map.entry("START_FAILED", RED),
            Map.entry("READY", GREEN),
            Map.entry("SUCCEEDED", GREEN),
            Map.entry("WAITING", YELLOW),
            Map.entry("CANCELLED", DIM),
            Map.entry("DESTROYED", DIM),
            Map.entry("IDLE", DIM),
            Map.entry("DEPLOYING", YELLOW),
            Map.entry("CRASHING", RED),
            Map.entry("FAILED", RED),
            Map.entry("DEAD", RED),
            Map.entry("ok", GREEN),
            Map.entry("warning", YELLOW),
            Map.entry("problem", RED));

    private final boolean on;

    public AnsiStyle(boolean on) {
        this.on = on;
    }

    String heading(String text) {
        return in(BOLD, text);
    }

    /** @param word the cell without its padding */
    String word(String word, String cell) {
        var colour = WORDS.get(word);
        return colour == null ? cell : in(colour, cell);
    }

    private String in(String colour, String text) {
        return on ? colour + text + RESET : text;
    }
}
