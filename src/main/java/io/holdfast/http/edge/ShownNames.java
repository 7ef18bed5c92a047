package io.holdfast.http.edge;

import io.holdfast.access.model.NameScope;
import io.holdfast.kernel.Page;
import java.util.Optional;
import java.util.function.Function;

/** The names that a list may show to its caller. Entries with other names are left out, so a page may be shorter. */
public record ShownNames(NameScope scope) {
    /**
     * The longest prefix of all names that begin with {@code asked} and may be shown; the store reads no others. Empty if
     * there are none.
     */
    Optional<String> prefix(String asked) {
        var prefixes = scope.below(asked).prefixes();
        if (prefixes.isEmpty()) {
            return Optional.empty();
        }
        // They are sorted, so what the first and the last have in common, all have.
        var first = prefixes.getFirst();
        var last = prefixes.getLast();
        var length = 0;
        while (length < Math.min(first.length(), last.length()) && first.charAt(length) == last.charAt(length)) {
            length++;
        }
        return Optional.of(first.substring(0, length));
    }

    public <T> Page<T> of(Page<T> page, Function<T, String> name) {
        return scope.isEverything()
                ? page
                : new Page<>(
                        page.items().stream()
                                .filter(item -> scope.contains(name.apply(item)))
                                .toList(),
                        page.next());
    }
}
