package io.holdfast.cli.base;

import io.holdfast.kernel.Suggestions;
import java.util.Collection;
import java.util.Optional;

/** What somebody may have meant who mistyped a word. */
public final class Nearest {
    private Nearest() {}

    public static Optional<String> to(String typed, Collection<String> known) {
        return Suggestions.nearest(typed, known);
    }
}
