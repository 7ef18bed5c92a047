package io.holdfast.lifecycle.model;

/**
 * What was seen of a service.
 *
 * @param detail for people: the source of the state, or why it is unknown
 */
public record Observation(State state, String detail) {
    public enum State {
        RUNNING,
        /** It exists, and nothing of it runs. */
        STOPPED,
        /** It restarts, or goes up and down, again and again. */
        CRASHING,
        /** It does not exist. */
        ABSENT,
        /** It could not be seen, or is between two states. Never changes a status. */
        UNKNOWN
    }

    public static Observation unknown(String detail) {
        return new Observation(State.UNKNOWN, detail);
    }
}
