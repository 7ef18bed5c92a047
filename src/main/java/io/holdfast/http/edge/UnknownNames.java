package io.holdfast.http.edge;

import io.holdfast.kernel.Suggestions;
import java.util.Collection;

/** The sentence for a query parameter or a field that a request does not take. */
final class UnknownNames {
    private UnknownNames() {}

    /**
     * Readable after "must be".
     *
     * @param takes what is taken instead: a part of a sentence with a lower-case letter in front
     */
    static String leftOut(String name, Collection<String> known, String takes) {
        return "left out; "
                + Suggestions.nearest(name, known)
                        .map(near -> "did you mean %s? %s%s"
                                .formatted(near, Character.toUpperCase(takes.charAt(0)), takes.substring(1)))
                        .orElse(takes);
    }
}
