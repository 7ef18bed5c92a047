package io.holdfast.lock.history;

/** A process that uses locks. */
interface Client {
    /** Begins to use locks after a pause, again and again. */
    void begin();

    /** Ends what it does under locks, and begins nothing any more. */
    void retire();
}
