package io.holdfast.http.edge;

import io.holdfast.kernel.Suggestions;
import java.util.Collection;

/** Builds the error for an unknown query parameter or field. */
final class UnknownNames {
    private UnknownNames() {}

    /**
     * Readable after "must be".
     *
     * @param takes what is accepted instead, beginning with a lower-case letter
     */
    static String leftOut(String name, Collection<String> known, String takes) {
        return "left out; "
                + Suggestions.nearest(name, known)
                        .map(near -> "did you mean %s? %s%s"
                                .formatted(near, Character.toUpperCase(takes.charAt(0)), takes.substring(1)))
                        .orElse(takes);
    }
}
