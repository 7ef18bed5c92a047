package io.holdfast.lock.history;

/** What happens to one request to the store. */
enum Fate {
    /** It is carried out and answered soon. */
    PROMPT,
    /** It is carried out and answered, both late but in time. */
    SLOW,
    /** It is never carried out, and the replica hears nothing. */
    REQUEST_LOST,
    /** It is carried out, and the replica hears nothing. */
    ANSWER_LOST,
    /** It is carried out after the replica gave it up. */
    CARRIED_OUT_LATE,
    /** It is carried out and answered, and carried out once more later. */
    REPEATED_LATE
}
