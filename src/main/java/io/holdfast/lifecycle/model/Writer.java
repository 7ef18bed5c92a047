package io.holdfast.lifecycle.model;

import java.util.Locale;

/** Which component writes a status. */
public enum Writer {
    /** A caller that starts a deployment, or sets a status. */
    API,
    /** The worker that reports the result of a deployment. */
    WORKER,
    RECONCILER;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The inverse of {@link #text()}. */
    public static Writer stored(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
