package io.holdfast.cli;

import io.holdfast.kernel.Suggestions;
import java.util.Collection;
import java.util.Optional;

/** What somebody may have meant who mistyped a word. */
final class Nearest {
    private Nearest() {}

    static Optional<String> to(String typed, Collection<String> known) {
        return Suggestions.nearest(typed, known);
    }
}
